// SPDX-License-Identifier: Apache-2.0
//
// Claims: each is a line of the log, and the last line counts them.

let passed = 0;
let failed = 0;

export function claim(text, holds, found = "") {
    if (holds) ++passed;
    else ++failed;
    console.log(
        `${holds ? "ok    " : "FAILED"} ${text}${holds || found === "" ? "" : `: ${found}`}`,
    );
}

export const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;

/// Ends the process: 1 if a claim failed.
export function finish() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
}

/// Numbers from 0 to 1 that are the same each time (a linear congruence).
export function randomFrom(seed) {
    let state = seed;
    return () => (state = (1664525 * state + 1013904223) % 2 ** 32) / 2 ** 32;
}
