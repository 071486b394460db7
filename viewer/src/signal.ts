// SPDX-License-Identifier: Apache-2.0
//
// Something that others want to hear of when it changes.

export class Signal {
    private readonly listeners: Array<() => void> = [];

    listen(listener: () => void): void {
        this.listeners.push(listener);
    }

    emit(): void {
        for (const listener of this.listeners) listener();
    }
}
