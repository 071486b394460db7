// SPDX-License-Identifier: Apache-2.0
//
// libatemi_core in the page: WebAssembly that the build puts inside, and a call of it.

import { inflatedBase64 } from "./columns";

/// Deflated, base64; empty where the page was built without.
declare const __WHATIF__: string;

export interface WhatIfCase {
    speed: number; // of the hand, m/s; NaN as recorded
    mass: number; // of the target, kg
    stiffness: number; // of the surface, N/m
    damping: number; // N s/m
    gain: number; // times which the servos' stiffness is as recorded
    servoDamping: number; // likewise
}

export interface WhatIfSample {
    t: number;
    force: number;
    compression: number;
    margin: number;
}

export interface WhatIfAnswer {
    peakForce: number;
    peakTime: number;
    impulse: number;
    contactTime: number;
    compression: number;
    handSpeed: number;
    targetSpeed: number;
    targetTravel: number;
    released: boolean;
    saturated: number;
    margin: number; // NaN where there is no ZMP
    virtualMass: number;
    speed: number; // of the hand before
    samples: WhatIfSample[];
}

interface Exports {
    memory: WebAssembly.Memory;
    whatif_input(count: number): number;
    whatif_create(): number;
    whatif_run(...numbers: number[]): number;
    whatif_place(x: number, y: number, z: number): number;
    whatif_posture(): number;
    whatif_output(): number;
    whatif_message(): number;
}

/// How well the hand can be where it was put.
export const reaches = ["out of reach", "without its aim", "with its aim"] as const;
export type Reach = (typeof reaches)[number];

const results = 13;
const sampleSize = 4;

/// What C asks the system for; nothing is ever printed.
const system = { wasi_snapshot_preview1: { fd_close: () => 0, fd_seek: () => 0, fd_write: () => 0 } };

export const hasEngine = (): boolean => __WHATIF__ !== "";

export class WhatIfEngine {
    private constructor(
        private readonly core: Exports,
        private readonly coordinates: number,
    ) {}

    /// Throws where the numbers make no robot.
    static async load(input: readonly number[], coordinates: number): Promise<WhatIfEngine> {
        const bytes = await inflatedBase64(__WHATIF__);
        const { instance } = await WebAssembly.instantiate(bytes, system);
        const engine = new WhatIfEngine(instance.exports as unknown as Exports, coordinates);
        const at = engine.core.whatif_input(input.length);
        if (at === 0) throw new Error("no memory for the robot");
        new Float64Array(engine.core.memory.buffer, at, input.length).set(input);
        engine.check(engine.core.whatif_create());
        return engine;
    }

    /// Throws where there is no such blow, and says why.
    run(at: WhatIfCase): WhatIfAnswer {
        const { speed, mass, stiffness, damping, gain, servoDamping } = at;
        this.check(this.core.whatif_run(speed, mass, stiffness, damping, gain, servoDamping));
        const start = this.core.whatif_output() / 8;
        const all = new Float64Array(this.core.memory.buffer).subarray(start);
        const count = all[results];
        const samples = Array.from({ length: count }, (_, i): WhatIfSample => {
            const row = results + 1 + sampleSize * i;
            return { t: all[row], force: all[row + 1], compression: all[row + 2], margin: all[row + 3] };
        });
        return {
            peakForce: all[0],
            peakTime: all[1],
            impulse: all[2],
            contactTime: all[3],
            compression: all[4],
            handSpeed: all[5],
            targetSpeed: all[6],
            targetTravel: all[7],
            released: all[8] === 1,
            saturated: all[9],
            margin: all[10],
            virtualMass: all[11],
            speed: all[12],
            samples,
        };
    }

    /// Puts the hand elsewhere, by a vector from where it was; blows are of that posture then.
    place(by: readonly number[]): Reach {
        return reaches[this.core.whatif_place(by[0], by[1], by[2])];
    }

    /// The coordinates q of the posture.
    get posture(): Float64Array {
        return new Float64Array(this.core.memory.buffer, this.core.whatif_posture(), this.coordinates).slice();
    }

    private check(status: number): void {
        if (status === 0) return;
        const bytes = new Uint8Array(this.core.memory.buffer, this.core.whatif_message());
        throw new Error(new TextDecoder().decode(bytes.slice(0, Math.max(0, bytes.indexOf(0)))));
    }
}
