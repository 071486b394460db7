// SPDX-License-Identifier: Apache-2.0
//
// Another recording beside the first one: its columns at the first one's times.

import type { Columns } from "./columns";
import { momentAt, valueAt } from "./moment";
import type { Report } from "./report";

export class Second {
    constructor(
        readonly report: Report,
        readonly columns: Columns,
        readonly t: Float64Array,
    ) {}

    /// Absent before its start and after its end.
    async valuesAt(column: number, times: Float64Array): Promise<Float64Array> {
        const values = await this.columns.load(column);
        const end = this.t[this.t.length - 1];
        return times.map((time) =>
            time < this.t[0] || time > end ? NaN : valueAt(values, momentAt(this.t, time)),
        );
    }
}
