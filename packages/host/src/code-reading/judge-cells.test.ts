// The reading of code against cells: how much harm runs unasked, and how often ordinary work is asked
// about. Cells of a row run one after the other in the same kernel.

import { expect, test } from "bun:test";
import { classifyShellLine } from "../shell-line/classify-shell-line.ts";
import { JUDGED_CONTEXT } from "../shell-line/fixtures/judged-context.ts";
import { quote } from "./code-acts.ts";
import { CodeMemory } from "./code-memory.ts";
import { HOSTILE_JAVASCRIPT } from "./fixtures/hostile-javascript.ts";
import { HOSTILE_PYTHON } from "./fixtures/hostile-python.ts";
import { ORDINARY_JAVASCRIPT } from "./fixtures/ordinary-javascript.ts";
import { ORDINARY_PYTHON } from "./fixtures/ordinary-python.ts";
import { PLAIN_JAVASCRIPT, UNSEEN_JAVASCRIPT } from "./fixtures/unseen-javascript.ts";
import { PLAIN_PYTHON, UNSEEN_PYTHON } from "./fixtures/unseen-python.ts";

const MAX_FALSE_ALARMS = 0.03;
const LEAST_HOSTILE = 250;
const LEAST_ORDINARY = 150;

type Rows = readonly (readonly string[])[];

/** Why a row is asked about, with what a session remembers of secrets. */
function reasonsFor(program: string, cells: readonly string[]): string[] {
  const code = { python: new CodeMemory(), javascript: new CodeMemory() };
  const secrets: string[] = [];
  return cells.flatMap((cell) => {
    // Magics are judged by whoever takes cells apart.
    const line = cell.startsWith("!") ? cell.slice(1) : `${program} ${quote(cell)}`;
    const {
      class: found,
      reasons,
      commands,
    } = classifyShellLine(line, { ...JUDGED_CONTEXT, code });
    const isLeaving = secrets.length > 0 && commands.some(({ sends }) => sends);
    secrets.push(...commands.flatMap(({ readsSecrets }) => readsSecrets));
    if (found !== "guarded" && found !== "unknown") return isLeaving ? ["may send a secret"] : [];
    return reasons;
  });
}

const KINDS: readonly (readonly [string, Rows, Rows])[] = [
  ["python3 -c", [...HOSTILE_PYTHON, ...UNSEEN_PYTHON], [...ORDINARY_PYTHON, ...PLAIN_PYTHON]],
  [
    "bun -e",
    [...HOSTILE_JAVASCRIPT, ...UNSEEN_JAVASCRIPT],
    [...ORDINARY_JAVASCRIPT, ...PLAIN_JAVASCRIPT],
  ],
];
const percent = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;

test("there are enough of them, none twice", () => {
  const hostile = KINDS.flatMap(([, rows]) => rows.map((row) => row.join("\n")));
  const ordinary = KINDS.flatMap(([, , rows]) => rows.map((row) => row.join("\n")));
  expect(hostile.length).toBeGreaterThanOrEqual(LEAST_HOSTILE);
  expect(ordinary.length).toBeGreaterThanOrEqual(LEAST_ORDINARY);
  const all = [...hostile, ...ordinary];
  expect(all.filter((row, at) => all.indexOf(row) !== at)).toEqual([]);
});

/** Hundreds of cells each, on machines that are busy. */
const PATIENCE_MS = 60_000;

test.each(KINDS)(
  "%s: nothing hostile goes by unasked",
  (program, hostile) => {
    const missed = hostile.filter((row) => reasonsFor(program, row).length === 0);
    console.log(`${program}: hostile cells unasked ${percent(missed.length, hostile.length)}`);
    expect(missed).toEqual([]);
  },
  PATIENCE_MS,
);

test.each(KINDS)(
  "%s: ordinary work is not asked about",
  (program, _, ordinary) => {
    const asked = ordinary
      .map((row) => ({ row, reasons: reasonsFor(program, row) }))
      .filter(({ reasons }) => reasons.length > 0);
    console.log(`${program}: ordinary cells asked about ${percent(asked.length, ordinary.length)}`);
    for (const { row, reasons } of asked)
      console.log(`  ${reasons.join("; ")}: ${JSON.stringify(row)}`);
    expect(asked.length / ordinary.length).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
  },
  PATIENCE_MS,
);

/** Scripts that the line itself writes: whether it is asked about, and the line. */
const SCRIPTS: readonly (readonly [boolean, string])[] = [
  [
    false,
    "cat > scripts/a.js <<'E'\nfs.writeFileSync(path.join(__dirname, '..', 'o'), '')\nE\nnode scripts/a.js",
  ],
  [
    true,
    "cat > scripts/a.js <<'E'\nfs.writeFileSync(path.join(__dirname, '../..', 'o'), '')\nE\nnode scripts/a.js",
  ],
  [
    false,
    "cat > s/a.mjs <<'E'\nimport fs from 'fs';\nfs.writeFileSync(new URL('../o', import.meta.url), '')\nE\nnode s/a.mjs",
  ],
  [
    false,
    "cat > s/a.ts <<'E'\nfs.rmSync(path.join(import.meta.dir, '../dist'), { recursive: true })\nE\nbun s/a.ts",
  ],
  [
    false,
    "cat > s/c.py <<'E'\nimport shutil, pathlib\nR = pathlib.Path(__file__).resolve().parent.parent\nfor n in ('dist', 'build'):\n    shutil.rmtree(R / n)\nE\npython3 s/c.py",
  ],
  [
    true,
    "cat > s/c.py <<'E'\nimport shutil, pathlib\nshutil.rmtree(pathlib.Path(__file__).resolve().parents[2] / 'docs')\nE\npython3 s/c.py",
  ],
  [
    false,
    "cat > x.py <<'E'\nimport sys\nopen(sys.argv[1], 'w').write('x')\nE\npython3 x.py out.txt",
  ],
  [
    true,
    "cat > x.py <<'E'\nimport sys\nopen(sys.argv[1], 'w').write('x')\nE\npython3 x.py ~/.bashrc",
  ],
  [false, "node -e \"require('fs').writeFileSync(process.argv[1], 'x')\" out.txt"],
  [true, "node -e \"require('fs').writeFileSync(process.argv[1], 'x')\" ~/notes.txt"],
  [
    false,
    "cat > c.py <<'E'\nimport argparse, pathlib\np = argparse.ArgumentParser()\np.add_argument('-o', default='o.txt')\npathlib.Path(p.parse_args().o).write_text('x')\nE\npython3 c.py -o /tmp/o.txt",
  ],
  [
    true,
    "cat > c.py <<'E'\nimport argparse, pathlib\np = argparse.ArgumentParser()\np.add_argument('-o', default='o.txt')\npathlib.Path(p.parse_args().o).write_text('x')\nE\npython3 c.py -o ~/.bashrc",
  ],
  [
    false,
    "cat > k.py <<'E'\nimport click\n@click.command()\n@click.option('--out', default='o')\ndef main(out):\n    open(out, 'w')\nmain()\nE\npython3 k.py --out b",
  ],
  [
    true,
    "cat > k.py <<'E'\nimport click\n@click.command()\n@click.option('--out', default='o')\ndef main(out):\n    open(out, 'w')\nmain()\nE\npython3 k.py --out=$HOME/b",
  ],
  [
    false,
    "python3 - <<'E'\nimport subprocess, glob\nfor f in glob.glob('examples/*.py'):\n    subprocess.run(['python3', f])\nE",
  ],
];

test.each(SCRIPTS)(
  "a script knows its place and its arguments (asked: %p): %s",
  (isAsked, line) => {
    const { class: found } = classifyShellLine(line, JUDGED_CONTEXT);
    expect(found === "guarded" || found === "unknown").toBe(isAsked);
  },
);
