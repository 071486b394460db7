// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text.

/// A number with so many significant digits, as short as it can be; a dash where it is absent.
export function numberText(value: number | null, digits = 6): string {
    if (value === null || !Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) {
        return value
            .toExponential(digits - 1)
            .replace(/\.?0+e/, "e")
            .replace("e+", "e");
    }
    return String(Number(value.toPrecision(digits)));
}

/// A number of steady width, for values that run.
export function runningText(value: number): string {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size > 0 && size < 1e-4) return value.toExponential(1);
    return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 4);
}

/// Seconds, fine enough for slow motion.
export const timeText = (time: number): string => `${time.toFixed(4)} s`;

/// The unit behind a number; "-" has none.
export const unitText = (unit: string): string => (unit === "-" ? "" : unit);

/// 0.001 as 1/1000.
export const speedText = (speed: number): string =>
    speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}`;
