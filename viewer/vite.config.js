// SPDX-License-Identifier: Apache-2.0
//
// Builds dist/index.html: one file, with script and style inside, and the licences of what went
// into it. Its content security policy names exactly these two by their hashes, so that nothing
// else in the page can ever run or load. Where there is whatif.wasm beside this file, it is inside
// the script, and the policy allows WebAssembly, which the script alone can start.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { defineConfig } from "vite";

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function takeText(bundle, ending) {
    const name = Object.keys(bundle).find((file) => file.endsWith(ending));
    const text = bundle[name].code ?? String(bundle[name].source);
    delete bundle[name];
    return text;
}

// The core of atemi, which answers "what if": deflated, base64.
const coreFile = new URL("whatif.wasm", import.meta.url);
const hasCore = existsSync(coreFile);
const core = hasCore ? deflateSync(readFileSync(coreFile), { level: 9 }).toString("base64") : "";

function licences() {
    const text = ["three", "uplot"].map((name) => {
        const path = new URL(`node_modules/${name}/LICENSE`, import.meta.url);
        return `${name}: ${readFileSync(path, "utf8").trim()}`;
    });
    return `<!--\nInside this page:\n\n${text.join("\n\n")}\n-->\n`;
}

function oneFile() {
    return {
        name: "one-file",
        enforce: "post",
        generateBundle(_options, bundle) {
            // Neither text may hold what ends its element.
            const script = takeText(bundle, ".js").replaceAll("</script", "<\\/script");
            const style = takeText(bundle, ".css").replaceAll("</style", "<\\/style");
            const page = bundle["index.html"];
            page.source = String(page.source)
                .replace(
                    /<script type="module"[^>]*><\/script>/,
                    () => `<script type="module">${script}</script>`,
                )
                .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
                .replace("</body>", (tag) => licences() + tag)
                .replace("SCRIPT-HASH", () => hashOf(script) + (hasCore ? " 'wasm-unsafe-eval'" : ""))
                .replace("STYLE-HASH", () => hashOf(style));
        },
    };
}

export default defineConfig({
    plugins: [oneFile()],
    define: { __WHATIF__: JSON.stringify(core) },
    build: { target: "es2021", modulePreload: false, chunkSizeWarningLimit: 2000 },
});
