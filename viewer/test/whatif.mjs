// SPDX-License-Identifier: Apache-2.0
//
// Claims about what if: the blows in the page are those of the command, with other settings and with
// the hand elsewhere. `where` has the folder, the command, the scenario of the page and a folder for
// pictures.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { robotPicture, settle } from "./browser.mjs";
import { claim, near, randomFrom } from "./claims.mjs";
import { readJson } from "./variants.mjs";

const blowTolerance = 1e-9; // relative: two ways of rounding, of compilers and of mathematics
const placeTolerance = 1e-9; // m and of rotation matrices: ten times that of inverse kinematics
const largeOutput = { maxBuffer: 1 << 28 };

// ---- Sliders --------------------------------------------------------------------------------
/// Four places for the name of a table's column of the command, and of an answer of the page.
const blowColumns = [
    ["peak_force", "peakForce"],
    ["impulse", "impulse"],
    ["contact_time", "contactTime"],
    ["virtual_mass", "virtualMass"],
    ["least_zmp_margin", "margin"],
    ["target_speed_after", "targetSpeed"],
];

/// A blow by the command, with a scenario that is changed.
function blowOf({ folder, command, scenario }, change) {
    const file = join(folder, "whatif.yaml");
    writeFileSync(file, change(readFileSync(scenario, "utf8")));
    const answer = execFileSync(command, ["impact", file, "--json"], largeOutput);
    return JSON.parse(answer).results;
}

const relative = (a, b) => Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-12);

function differenceOf(results, answer) {
    const gaps = blowColumns.map(([theirs, ours]) => relative(results[theirs].value, answer[ours]));
    return Math.max(...gaps);
}

/// Random speeds, masses and stiffnesses in a sweep of the command, a thousand of them, and every
/// one in the page. The sweep looks at the ZMP at other instants; single blows compare its margin.
async function claimSweep(page, { folder, command, scenario }) {
    const random = randomFrom(11);
    const list = (low, high) =>
        Array.from({ length: 10 }, () => low * (high / low) ** random()).map((x) => Number(x.toPrecision(6)));
    const [speeds, masses, stiffnesses] = [list(0.2, 2), list(0.5, 50), list(1e3, 1e5)];
    const file = join(folder, "whatif.yaml");
    const text = readFileSync(scenario, "utf8").replace(/^sweep:.*\n(?:[ #].*\n)*/m, "");
    const sweep = `\nsweep: {speeds: [${speeds}], target_masses: [${masses}], stiffnesses: [${stiffnesses}]}\n`;
    writeFileSync(file, text + sweep);
    const answer = execFileSync(command, ["impact", file, "--sweep", "--json"], largeOutput);
    const { tables } = JSON.parse(answer);
    const table = tables.sweep;
    const names = table.columns.map(({ name }) => name);
    const column = (name) => names.indexOf(name);
    const [speed, mass, stiffness] = ["speed", "target", "stiffness"].map(column);
    const compared = [
        ["peak force", "peakForce"],
        ["impulse", "impulse"],
        ["contact time", "contactTime"],
        ["compression", "compression"],
        ["hand after", "handSpeed"],
        ["target after", "targetSpeed"],
    ].map(([theirs, ours]) => [column(theirs), ours]);
    const answers = await page.evaluate(
        async (cases) => {
            const begin = performance.now();
            const all = [];
            for (const one of cases) all.push({ ...(await window.atemi.whatIf(one)), samples: null });
            return { all, each: (performance.now() - begin) / cases.length };
        },
        table.rows.map((row) => ({ speed: row[speed], mass: row[mass], stiffness: row[stiffness] })),
    );
    const gaps = table.rows.flatMap((row, i) =>
        compared.map(([at, ours]) => relative(row[at], answers.all[i][ours])),
    );
    const largest = Math.max(...gaps);
    claim("what if: a thousand settings are there", table.rows.length === 1000, table.rows.length);
    claim("what if: their blows are the command's", largest < blowTolerance, largest);
    console.log(
        `       what if: differ by ${largest.toExponential(1)}, ${answers.each.toFixed(2)} ms a change`,
    );
    if (process.env.ATEMI_TIMED) claim("what if: under 5 ms a change", answers.each < 5, answers.each);
}

export function claimRecordedBlow(browser, recorded, answer) {
    const found = differenceOf(recorded, answer);
    claim(`${browser}: what if, unchanged, is what was recorded`, found < blowTolerance, found);
}

export async function claimWhatIf(page, where) {
    const random = randomFrom(5);
    const recorded = readJson(join(where.folder, "punch.html")).summary.results;
    claimRecordedBlow("Chromium", recorded, await page.evaluate(() => window.atemi.whatIf({})));
    let largest = 0;
    for (let i = 0; i < 5; ++i) {
        const mass = Number((1 + 20 * random()).toPrecision(5));
        const damping = Number((50 + 500 * random()).toPrecision(5));
        const speed = Number((0.3 + random()).toPrecision(5));
        const [stiffness, servo] = [2000, 100].map((least) => Math.round(least * (1 + 9 * random())));
        const change = (text) =>
            text
                .replace(/mass: 5 kg/, `mass: ${mass} kg`)
                .replace(/speed: 0.7 m\/s/, `speed: ${speed} m/s`)
                .replace(/stiffness: 8000/, `stiffness: ${stiffness}`)
                .replace(/damping: 400/, `damping: ${servo}`)
                .replace(/damping: 300 N s\/m/, `damping: ${damping} N s/m`);
        const setting = { mass, damping, speed, gain: stiffness / 8000, servoDamping: servo / 400 };
        const results = blowOf(where, change);
        const answer = await page.evaluate((one) => window.atemi.whatIf(one), setting);
        largest = Math.max(largest, differenceOf(results, answer));
    }
    claim("what if: hand, servos and target act as by the command", largest < blowTolerance, largest);
    await claimSweep(page, where);
    await page.click('nav button:has-text("What if")');
    const before = await page.textContent(".whatif-panel .cards");
    await page.focus('.sliders input[aria-label="Mass of the target"]');
    for (let i = 0; i < 30; ++i) await page.keyboard.press("ArrowRight");
    claim("what if: a slider changes the answer", (await page.textContent(".whatif-panel .cards")) !== before);
    await page.screenshot({ path: join(where.pictures, "what-if.png") });
    await page.click('button:has-text("As recorded")');
    claim("what if: and back", (await page.textContent(".whatif-panel .cards")) === before);
    await page.keyboard.press("1");
}

// ---- The hand elsewhere -----------------------------------------------------------------------

/// The poses of all links by the command.
function linksAt({ folder, command }, base, q) {
    const answer = execFileSync(
        command,
        ["eval", join(folder, "punch.run", "robot.urdf"), "--base", base, "--state", "-"],
        { ...largeOutput, input: JSON.stringify({ q }), stdio: ["pipe", "pipe", "ignore"] },
    );
    return JSON.parse(answer).links;
}

const largest = (numbers) => Math.max(...numbers.map(Math.abs));
const differences = (a, b) => largest(a.flat().map((value, i) => value - b.flat()[i]));

/// Where links are with the hand elsewhere, against where they were.
function claimPlaces(where, report, before, after, by) {
    const links = [before, after].map((q) => linksAt(where, report.robot.base, q));
    const moved = ({ position }, other) => differences(position, other.position);
    const [hand, ...feet] = ["right_hand", "right_foot", "left_foot"].map((part) =>
        Object.keys(links[0]).find((name) => name.startsWith(part)),
    );
    const gone = links[1][hand].position.map((value, i) => value - links[0][hand].position[i]);
    claim("what if: the hand is where it was put", differences(gone, by) < placeTolerance, gone.join());
    const turned = differences(links[0][hand].rotation, links[1][hand].rotation);
    claim("what if: with its aim", turned < placeTolerance, turned);
    const slid = largest(feet.map((foot) => moved(links[0][foot], links[1][foot])));
    claim("what if: and the feet stay", slid < placeTolerance, slid);
}

/// The blow of the command in a posture, against the page's with the hand there.
function blowInPosture(where, names, q) {
    const joints = names.map((name, i) => `${name}: ${q[i]}`).filter((text) => !/^base\./.test(text));
    return blowOf(where, (text) =>
        text.replace(/^( *)(posture: punch_6kg)/m, `$1$2\n$1joints: {${joints.join(", ")}}`),
    );
}

async function claimPostures(page, where, report) {
    const random = randomFrom(3);
    const names = report.summary.columns
        .map(({ name }) => name)
        .filter((name) => name.startsWith("q."))
        .map((name) => name.slice(2));
    const put = (by) =>
        page.evaluate(
            async (at) => ({
                ...(await window.atemi.putHand(at)),
                answer: { ...(await window.atemi.whatIf({})), samples: null },
            }),
            by,
        );
    const first = await put([0, 0, 0]);
    let worst = 0;
    for (let i = 0; i < 3; ++i) {
        const by = [0, 1, 2].map(() => 0.16 * random() - 0.08);
        const { reach, posture, answer } = await put(by);
        claim("what if: the hand reaches places nearby", reach === "with its aim", `${by}: ${reach}`);
        claimPlaces(where, report, first.posture, posture, by);
        worst = Math.max(worst, differenceOf(blowInPosture(where, names, posture), answer));
    }
    claim("what if: blows elsewhere are the command's", worst < blowTolerance, worst);
    console.log(`       what if: blows elsewhere differ by ${worst.toExponential(1)}`);
    claim("what if: two metres are out of reach", (await put([2, 0, 0])).reach === "out of reach");
    const back = await put([0, 0, 0]);
    claim("what if: and back to the bit", back.answer.impulse === first.answer.impulse);
}

/// Where the pointer can take the ball at the hand.
async function findBall(page) {
    const box = await page.locator("#view").boundingBox();
    for (let y = 0.15; y < 0.85; y += 0.02) {
        for (let x = 0.2; x < 0.8; x += 0.02) {
            await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
            const cursor = await page.evaluate(() => document.querySelector("#view canvas").style.cursor);
            if (cursor === "grab") return [box.x + x * box.width, box.y + y * box.height];
        }
    }
    return null;
}

async function claimDragging(page, where) {
    const values = () => page.locator(".hand output").allTextContents();
    const cards = () => page.textContent(".whatif-panel .cards");
    const before = [await robotPicture(page), await cards()];
    const ball = await findBall(page);
    claim("what if: there is a ball at the hand", ball !== null);
    if (!ball) return;
    await page.mouse.down();
    await page.mouse.move(ball[0] + 30, ball[1] - 40, { steps: 4 });
    await page.mouse.up();
    const [, , up] = await values();
    claim("what if: dragged up, the hand goes up", Number(up) > 1, (await values()).join());
    claim("what if: and the blow is another", (await cards()) !== before[1]);
    claim("what if: the robot follows", !before[0].equals(await robotPicture(page)));
    await page.click('button:has-text("As recorded")');
    claim("what if: all is back as recorded", (await cards()) === before[1]);
    claim("what if: the robot too", before[0].equals(await robotPicture(page)));
    await page.screenshot({ path: join(where.pictures, "what-if-hand.png") });
}

async function claimMap(page, where) {
    const before = await robotPicture(page);
    await page.click('button:has-text("Reach map")');
    await page.waitForSelector(".hand .note:has-text(\"of 169\")");
    await page.waitForTimeout(3000);
    const text = await page.textContent(".hand");
    const [, reached] = /reaches (\d+) of 169/.exec(text);
    claim("what if: the map lights up where the hand reaches", reached > 20 && reached < 169, reached);
    claim("what if: in the view", !before.equals(await robotPicture(page)));
    await page.screenshot({ path: join(where.pictures, "what-if-map.png") });
    await page.click('button:has-text("Reach map")');
    await settle(page);
    claim("what if: and goes again", before.equals(await robotPicture(page)));
}

export async function claimHand(page, where) {
    const report = readJson(join(where.folder, "punch.html"));
    const recorded = await robotPicture(page);
    await claimPostures(page, where, report);
    await page.click('nav button:has-text("What if")');
    await claimDragging(page, where);
    await claimMap(page, where);
    await page.focus('input[aria-label="Hand along z"]');
    for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowRight");
    const value = await page.locator('input[aria-label="Hand along z"]').inputValue();
    claim("what if: keys move the hand", near(Number(value), 2, 1e-9), value);
    await page.click('.hand button:has-text("Back")');
    await page.click('nav button:has-text("Plots")');
    claim("what if: elsewhere the view is the recording's", recorded.equals(await robotPicture(page)));
}

// ---- A strike ---------------------------------------------------------------------------------

/// How far a point is inside a convex polygon that is listed counter-clockwise; negative outside.
function inside([x, y], corners) {
    const distances = corners.map(([ax, ay], i) => {
        const [bx, by] = corners[(i + 1) % corners.length];
        return ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay);
    });
    return Math.min(...distances);
}

/// The page's blow over time is the one that the command recorded as its estimate.
export async function claimStrikeBlow(page, report) {
    const tables = Object.fromEntries(report.summary.tables.map((table) => [table.name, table]));
    const { labels, values } = tables.first_touch;
    const listed = (name) => values.filter((_, i) => labels[i].split(" ")[0] === name).map(([value]) => value);
    const flat = listed("corner");
    const corners = flat.flatMap((x, i) => (i % 3 === 0 ? [[x, flat[i + 1]]] : []));
    const { samples, speed } = await page.evaluate(() => window.atemi.whatIf({}));
    const rows = tables.blow.values.slice(0, samples.length);
    const peak = Math.max(...rows.map(([, force]) => force));
    const gaps = samples.map(({ t, force }, i) => largest([t - rows[i][0], (force - rows[i][1]) / peak]));
    claim("strike, what if: the blow is the estimated one", largest(gaps) < blowTolerance, largest(gaps));
    const planned = report.summary.results.speed.value;
    claim("strike, what if: the hand's speed is the planned one", relative(planned, speed) < blowTolerance);
    const margins = rows.map((row) => inside([row[3], row[5]], corners));
    const off = samples.filter(({ margin }, i) => margin >= 0 && Math.abs(margin - margins[i]) > blowTolerance);
    claim("strike, what if: so is its ZMP", off.length === 0 && samples.length > 20, off.length);
    const faster = await page.evaluate((one) => window.atemi.whatIf(one), { speed: 1.1 * planned });
    claim("strike, what if: a faster hand hits harder", relative(faster.peakForce, 1.1 * peak) < blowTolerance);
}
