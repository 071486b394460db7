// SPDX-License-Identifier: Apache-2.0
//
// The numbers over time, decoded column by column when they are first asked for.
//
//   u16: u(0) = d(0), u(i) = u(i-1) + d(i) mod 65536, value = min + scale u, absent where u = 65535
//
// A file that was cut has columns that are missing or end early; what is missing is absent (NaN).

import type { Encoding } from "./report";

const absent16 = 65535;

function bytesOfBase64(text: string): Uint8Array {
    const whole = text.trim();
    const binary = atob(whole.slice(0, whole.length - (whole.length % 4)));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

function joined(chunks: Uint8Array[]): Uint8Array {
    const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
        all.set(chunk, at);
        at += chunk.length;
    }
    return all;
}

/// What zlib's stream unfolds to; of a stream that was cut, as much as there is.
async function inflate(packed: Uint8Array): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const reader = stream.getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            chunks.push(value);
        }
    } catch {
        // The stream was cut: the caller sees it by the length.
    }
    return joined(chunks);
}

/// What base64 of a deflated stream holds.
export const inflatedBase64 = (text: string): Promise<Uint8Array> => inflate(bytesOfBase64(text));

/// The bytes that the element holds; none where the file ends before it.
export async function bytesOfElement(id: string): Promise<Uint8Array> {
    const text = document.getElementById(id)?.textContent;
    if (!text) return new Uint8Array(0);
    try {
        return await inflate(bytesOfBase64(text));
    } catch {
        return new Uint8Array(0);
    }
}

function decode16(bytes: Uint8Array, min: number, scale: number, values: Float64Array): number {
    const view = new DataView(bytes.buffer);
    const count = Math.min(values.length, bytes.length >> 1);
    let u = 0;
    for (let i = 0; i < count; ++i) {
        u = (u + view.getUint16(2 * i, true)) & 0xffff;
        values[i] = u === absent16 ? NaN : min + scale * u;
    }
    return count;
}

function decode64(bytes: Uint8Array, values: Float64Array): number {
    const view = new DataView(bytes.buffer);
    const count = Math.min(values.length, bytes.length >> 3);
    for (let i = 0; i < count; ++i) values[i] = view.getFloat64(8 * i, true);
    return count;
}

const hasElement = (encoding: Encoding): boolean =>
    encoding.encoding === "u16" || encoding.encoding === "f64";

export class Columns {
    private readonly pending = new Map<number, Promise<Float64Array>>();
    private readonly cut = new Set<number>();

    constructor(
        readonly rows: number,
        private readonly encodings: Encoding[],
        private readonly mark = "", // of the recording: "-b" of a second one
    ) {}

    /// The column's values, decoded once.
    load(index: number): Promise<Float64Array> {
        let values = this.pending.get(index);
        if (!values) {
            values = this.decode(index);
            this.pending.set(index, values);
        }
        return values;
    }

    loadAll(indices: readonly number[]): Promise<Float64Array[]> {
        return Promise.all(indices.map((index) => this.load(index)));
    }

    /// The least and the greatest value as far as the encoding tells, without decoding.
    range(index: number): [number, number] {
        const encoding = this.encodings[index];
        switch (encoding.encoding) {
            case "u16":
                return [encoding.min, encoding.min + encoding.scale * (absent16 - 1)];
            case "constant":
                return [encoding.value, encoding.value];
            case "grid":
                return [
                    encoding.start,
                    encoding.start + encoding.step * Math.max(0, this.rows - 1),
                ];
            case "f64":
                return [NaN, NaN];
        }
    }

    /// How many columns the file has lost: those without an element, and the last one if it is cut.
    async countLost(): Promise<number> {
        const held = this.encodings.map((_, i) => i).filter((i) => hasElement(this.encodings[i]));
        const found = held.filter((i) => document.getElementById(this.idOf(i)));
        const last = found[found.length - 1];
        if (last !== undefined) await this.load(last);
        return held.length - found.length + (this.cut.has(last) ? 1 : 0);
    }

    private idOf(index: number): string {
        return `atemi${this.mark}-column-${index}`;
    }

    private async decode(index: number): Promise<Float64Array> {
        const encoding = this.encodings[index];
        const values = new Float64Array(this.rows).fill(NaN);
        if (encoding.encoding === "constant") return values.fill(encoding.value);
        if (encoding.encoding === "grid") {
            return values.map((_, i) => encoding.start + encoding.step * i);
        }
        const bytes = await bytesOfElement(this.idOf(index));
        const count =
            encoding.encoding === "f64"
                ? decode64(bytes, values)
                : decode16(bytes, encoding.min, encoding.scale, values);
        if (count < this.rows) this.cut.add(index);
        return values;
    }
}
