// SPDX-License-Identifier: Apache-2.0
//
// Firefox without a screen, by WebDriver BiDi: a page in it that is asked and pressed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ws as WebSocket } from "playwright-core/lib/utilsBundle";

const startTime = 60_000; // ms that Firefox may take to start

// WebGL by the processor, and nothing fetched or asked at the start.
const preferences = {
    "webgl.force-enabled": true,
    "webgl.disable-fail-if-major-performance-caveat": true,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.enabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
};

/// The address of the remote end, which Firefox prints.
function addressOf(child) {
    return new Promise((resolve, reject) => {
        let heard = "";
        const timer = setTimeout(() => reject(new Error(`Firefox says: ${heard}`)), startTime);
        const hear = (data) => {
            heard += data;
            const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(heard);
            if (!found) return;
            clearTimeout(timer);
            resolve(found[1]);
        };
        child.stderr.on("data", hear);
        child.stdout.on("data", hear);
        child.on("error", reject);
        child.on("exit", () => reject(new Error(`Firefox ended: ${heard}`)));
    });
}

class Connection {
    constructor(socket) {
        this.socket = socket;
        this.next = 1;
        this.waiting = new Map();
        this.events = [];
        socket.on("message", (text) => this.take(JSON.parse(text)));
    }

    take(message) {
        const waits = this.waiting.get(message.id);
        if (!waits) {
            this.events.push(message);
            return;
        }
        this.waiting.delete(message.id);
        if (message.type === "error") waits.reject(new Error(`${message.error}: ${message.message}`));
        else waits.resolve(message.result);
    }

    ask(method, params = {}) {
        const id = this.next++;
        this.socket.send(JSON.stringify({ id, method, params }));
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }
}

/// A page of Firefox. `evaluate` takes an expression whose value, or what it promises, JSON can hold.
class Page {
    constructor(connection, context) {
        this.connection = connection;
        this.context = context;
    }

    async open(url) {
        await this.connection.ask("browsingContext.navigate", {
            context: this.context,
            url,
            wait: "complete",
        });
    }

    async evaluate(expression) {
        const { result, exceptionDetails } = await this.connection.ask("script.evaluate", {
            expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
            awaitPromise: true,
            target: { context: this.context },
        });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return JSON.parse(result.value);
    }

    async press(key) {
        await this.connection.ask("input.performActions", {
            context: this.context,
            actions: [
                {
                    type: "key",
                    id: "keyboard",
                    actions: [
                        { type: "keyDown", value: key },
                        { type: "keyUp", value: key },
                    ],
                },
            ],
        });
    }

    async picture(file) {
        const { data } = await this.connection.ask("browsingContext.captureScreenshot", {
            context: this.context,
        });
        writeFileSync(file, Buffer.from(data, "base64"));
    }

    /// What the page complained of so far.
    get complaints() {
        return this.connection.events
            .filter(({ method, params }) => method === "log.entryAdded" && params.level === "error")
            .map(({ params }) => params.text);
    }
}

/// Starts Firefox; `close` ends it.
export async function launchFirefox() {
    const profile = mkdtempSync(join(tmpdir(), "atemi-firefox-"));
    const lines = Object.entries(preferences).map(
        ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, "user.js"), lines.join("\n"));
    const child = spawn(
        process.env.FIREFOX ?? "/usr/bin/firefox-esr",
        ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
        { env: { ...process.env, MOZ_HEADLESS_WIDTH: "1280", MOZ_HEADLESS_HEIGHT: "800" } },
    );
    const close = async () => {
        const ended = new Promise((done) => child.on("exit", done));
        child.kill();
        await ended;
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
        const socket = new WebSocket(`${await addressOf(child)}/session`);
        await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
        const connection = new Connection(socket);
        await connection.ask("session.new", { capabilities: {} });
        await connection.ask("session.subscribe", { events: ["log.entryAdded"] });
        const { contexts } = await connection.ask("browsingContext.getTree");
        return { page: new Page(connection, contexts[0].context), close };
    } catch (error) {
        await close();
        throw error;
    }
}
