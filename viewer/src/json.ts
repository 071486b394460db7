// SPDX-License-Identifier: Apache-2.0
//
// A value of JSON with the path to it. What is not as the format says is refused by that path.

export class Refusal extends Error {}

export class Json {
    constructor(
        private readonly value: unknown,
        private readonly path: string,
    ) {}

    private refuse(wanted: string): never {
        throw new Refusal(`${this.path} is not ${wanted}`);
    }

    get absent(): boolean {
        return this.value === undefined || this.value === null;
    }

    key(name: string): Json {
        if (typeof this.value !== "object" || this.value === null) this.refuse("an object");
        const held = Object.prototype.hasOwnProperty.call(this.value, name);
        const inner = held ? (this.value as Record<string, unknown>)[name] : undefined;
        return new Json(inner, `${this.path}.${name}`);
    }

    entries(): Array<[string, Json]> {
        if (typeof this.value !== "object" || this.value === null) this.refuse("an object");
        return Object.entries(this.value).map(([name, inner]) => [
            name,
            new Json(inner, `${this.path}.${name}`),
        ]);
    }

    list<T>(read: (item: Json) => T): T[] {
        if (!Array.isArray(this.value)) this.refuse("a list");
        return this.value.map((item, i) => read(new Json(item, `${this.path}[${i}]`)));
    }

    /// A list of so many.
    listOf<T>(count: number, read: (item: Json) => T): T[] {
        const items = this.list(read);
        return items.length === count ? items : this.refuse(`a list of ${count}`);
    }

    optional<T>(read: (value: Json) => T): T | null {
        return this.absent ? null : read(this);
    }

    number(): number {
        return typeof this.value === "number" ? this.value : this.refuse("a number");
    }

    /// A whole number from 0 to below the limit.
    index(limit: number): number {
        const number = this.number();
        if (!Number.isInteger(number) || number < 0 || number >= limit) {
            this.refuse(`a whole number from 0 to ${limit - 1}`);
        }
        return number;
    }

    text(): string {
        return typeof this.value === "string" ? this.value : this.refuse("a text");
    }

    truth(): boolean {
        return typeof this.value === "boolean" ? this.value : this.refuse("true or false");
    }

    word<T extends string>(words: readonly T[]): T {
        const found = words.find((word) => word === this.value);
        return found ?? this.refuse(`one of ${words.join(", ")}`);
    }

    numbers(count: number): number[] {
        return this.listOf(count, (item) => item.number());
    }

    indices(limit: number): number[] {
        return this.list((item) => item.index(limit));
    }
}
