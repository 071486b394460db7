// SPDX-License-Identifier: Apache-2.0
//
// Which events the time line and the list show: those of the kinds that are not hidden.

import type { RecordedEvent } from "./report";
import { Signal } from "./signal";

export class EventFilter {
    readonly changed = new Signal();
    private readonly hidden = new Set<string>();

    constructor(readonly all: readonly RecordedEvent[]) {}

    /// The kinds that there are, with how many of each, in the order in which they first come.
    get kinds(): Map<string, number> {
        const counts = new Map<string, number>();
        for (const { kind } of this.all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        return counts;
    }

    get shown(): RecordedEvent[] {
        return this.all.filter(({ kind }) => !this.hidden.has(kind));
    }

    show(kind: string, on: boolean): void {
        if (on) this.hidden.delete(kind);
        else this.hidden.add(kind);
        this.changed.emit();
    }
}
