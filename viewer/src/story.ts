// SPDX-License-Identifier: Apache-2.0
//
// The answer first: the verdict in one sentence, and its headlines as cards.

import { element } from "./dom";
import { numberText, unitText } from "./format";
import type { Card, Report } from "./report";

const digits = 4; // of a headline

const stateText = { plain: "", pass: "✓", fail: "✗" };
const stateTitle = { plain: "", pass: "keeps its limit", fail: "does not keep its limit" };

function valueOf({ value, text, unit }: Card): HTMLElement[] {
    if (text !== null) return [element("b", { class: "words" }, text)];
    const small = value !== null && Math.abs(value) < 1e-6 ? 0 : value; // the noise of rounding
    return [
        element("b", {}, numberText(small, digits)),
        element("small", {}, unitText(unit)),
    ];
}

function cardOf(card: Card): HTMLElement {
    const mark = element(
        "span",
        { class: "mark", title: stateTitle[card.state], "aria-label": stateTitle[card.state] },
        stateText[card.state],
    );
    const below = [card.limit, card.note].filter((text) => text !== null).join(", ");
    return element(
        "li",
        { class: `card ${card.state}` },
        element("h3", {}, card.title),
        element("p", {}, ...valueOf(card), ...(card.state === "plain" ? [] : [mark])),
        element("small", { class: "below" }, below),
    );
}

/// A second recording's headline of the same title stands below the first one's.
function besideOf(card: Card, second: readonly Card[]): Card {
    const other = second.find(({ title }) => title === card.title);
    if (!other) return card;
    const text = other.text ?? `${numberText(other.value, digits)} ${unitText(other.unit)}`.trim();
    return { ...card, note: `B: ${text}` };
}

/// Nothing where the recording has no verdict.
export function makeStory(report: Report, second: Report | null): HTMLElement[] {
    const { verdict, cards } = report.summary;
    if (verdict === "" && cards.length === 0) return [];
    const shown = second ? cards.map((card) => besideOf(card, second.summary.cards)) : cards;
    const sentences = [element("p", { class: "verdict" }, verdict)];
    if (second) {
        sentences[0].prepend(element("b", {}, "A: "));
        sentences.push(
            element("p", { class: "verdict second" }, element("b", {}, "B: "), second.summary.verdict),
        );
    }
    return [
        element(
            "section",
            { class: "story", "aria-label": "The answer" },
            ...sentences,
            element("ul", { class: "cards" }, ...shown.map(cardOf)),
        ),
    ];
}
