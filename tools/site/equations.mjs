// SPDX-License-Identifier: Apache-2.0
//
// node equations.mjs FOLDER: reads a JSON list of equations (LaTeX) from stdin and writes one of their
// MathML: {mathml} or {error} each. FOLDER/node_modules has Temml.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const temml = createRequire(`${process.argv[2]}/`)("temml");
const options = { displayMode: true, strict: true, throwOnError: true };
const refusedByGitHub = /\\(operatorname|mbox|phantom)\b/;

function typeset(latex) {
    const refused = refusedByGitHub.exec(latex);
    if (refused) return { error: `GitHub refuses ${refused[0]}`, position: refused.index };
    try {
        return { mathml: temml.renderToString(latex, options) };
    } catch (error) {
        return { error: error.message.split("\n")[0].trim(), position: error.position ?? latex.length };
    }
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(typeset)));
