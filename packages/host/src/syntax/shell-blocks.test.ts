import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SourceLines } from "./source-lines.ts";
import { ShellBlocks } from "./shell-blocks.ts";

function blockOf(text: string, line: number): string {
  const found = new ShellBlocks(text).at(line);
  if (!found.ok) return found.failure.code;
  const { start, end, needed } = found.value;
  return `${start}-${end}${needed ? ` in ${needed.start}-${needed.end}` : ""}`;
}

/** `want` has one entry a line of the script; "" for a blank one. */
test.each<[string, string, string[]]>([
  [
    "an operator at a line's end",
    'cd "$1" ||\n  exit 1\nmake && \\\n  make install\nls |\n  # all of them\n  sort\necho',
    ["1-2", "no_block", "3-4", "no_block", "5-7", "6-6", "no_block", "8-8"],
  ],
  [
    "a continued command",
    "docker run \\\n  --rm \\\n  image\n# a comment \\\necho",
    ["1-3", "no_block", "no_block", "4-4", "5-5"],
  ],
  [
    "keywords on lines of their own",
    "for x in a b\ndo\n  if test $x\n  then\n    one\n    two\n  else\n    three\n  fi\ndone",
    [
      "1-10",
      "no_block",
      "3-9 in 1-10",
      "no_block",
      "5-5",
      "6-6",
      "7-8",
      "8-8 in 7-8",
      "closing_line",
      "closing_line",
    ],
  ],
  [
    "clauses",
    "case $1 in\n  a) one ;;\n  b|c)\n    two\n    three ;;\n  *)\n    four\nesac",
    ["1-8", "2-2", "3-5", "4-4", "no_block", "6-7", "7-7", "closing_line"],
  ],
  [
    "here documents",
    "cat <<A <<-'B' |\none\nA\n\ttwo\n\tB\n  sort\nwhile read -r x; do\n  echo\ndone <<END\nx\ny\nEND\necho",
    [
      "1-6",
      "2-2",
      "closing_line",
      "4-4",
      "closing_line",
      "no_block",
      "7-12",
      "8-8 in 7-12",
      "closing_line",
      "10-11",
      "no_block",
      "closing_line",
      "13-13",
    ],
  ],
  [
    "several on a line",
    "a; b\nc; if d; then\n  e; f\nfi\ng() { h; }; i\nj() {\n  k; }",
    ["1-1", "2-4", "3-3 in 2-4", "closing_line", "5-5", "6-7", "no_block"],
  ],
  [
    "arrays, strings and substitutions",
    'x=(\n  one\n  two # 2\n)\ny="\nif\n"\nz=$(\n  a |\n    b\n  c\n)',
    [
      "1-4",
      "2-2",
      "3-3",
      "closing_line",
      "5-7",
      "no_block",
      "no_block",
      "8-12",
      "9-10",
      "no_block",
      "11-11",
      "closing_line",
    ],
  ],
  ["what the parser does not read", "a\n((x) | y)\nb", ["1-1", "syntax_error", "syntax_error"]],
])("%s", (_, text, want) => {
  for (const written of [text, `${text}\n`, text.replaceAll("\n", "\r\n")]) {
    const found = want.map((one, at) => (one === "" ? "" : blockOf(written, at + 1)));
    expect(found).toEqual(want);
  }
});

test("a refusal names the lines to use", () => {
  const found = new ShellBlocks('cd "$1" ||\n  exit 1\n').at(2);
  expect(found).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining("lines 1-2") },
  });
});

/** What a Debian machine has; scripts come from whatever is installed. */
const PLACES = [
  "/usr/bin",
  "/usr/sbin",
  "/etc/init.d",
  "/var/lib/dpkg/info",
  "/usr/share",
  "/usr/lib",
];
const SHEBANG = /^#! ?\/(?:usr\/)?bin\/(?:env )?(bash|sh|dash)\b/;
const MAX_SCRIPT_BYTES = 300_000;
/** Lines whose block is taken out, spread over all scripts; a shell is started for each. */
const CHECKED = Number(process.env["TAU_SHELL_LINES"] ?? 600);

interface Script {
  path: string;
  shell: "bash" | "dash";
  text: string;
}

function isValid(shell: string, text: string): boolean {
  return Bun.spawnSync([shell, "-n"], { stdin: Buffer.from(text) }).exitCode === 0;
}

function* scripts(folder: string, depth = 0): Generator<Script> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < 3) yield* scripts(path, depth + 1);
    if (!entry.isFile() || statSync(path).size > MAX_SCRIPT_BYTES) continue;
    const isNamed = /\.(?:sh|bash|postinst|prerm|preinst|postrm|config)$/.test(entry.name);
    if (!isNamed && !/^\/(?:usr\/s?bin|etc\/init\.d)\/[^/]*$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    const shebang = SHEBANG.exec(text);
    if (shebang) yield { path, shell: shebang[1] === "bash" ? "bash" : "dash", text };
  }
}

const corpus = ["bash", "dash"].every((shell) => Bun.which(shell))
  ? PLACES.filter((place) => statSync(place, { throwIfNoEntry: false })?.isDirectory()).flatMap(
      (place) => [...scripts(place)],
    )
  : [];

test.skipIf(corpus.length === 0)(
  `this machine's scripts without one of their blocks are still scripts (found: ${corpus.length})`,
  () => {
    const blocks = corpus.flatMap(({ path, shell, text }) => {
      const found = new ShellBlocks(text);
      const lines = new SourceLines(text);
      return Array.from({ length: lines.count }, (_, at) => at + 1)
        .filter((line) => !lines.isBlank(line))
        .map((line) => ({ path, shell, text, block: found.at(line) }));
    });
    const taken = blocks.flatMap(({ block, ...script }) =>
      block.ok && !block.value.needed ? [{ ...script, ...block.value }] : [],
    );
    // Refusing everything would keep the law too.
    expect(taken.length).toBeGreaterThan(blocks.length / 2);
    const step = Math.max(1, Math.floor(taken.length / CHECKED));
    const broken: string[] = [];
    let checked = 0;
    for (const { path, shell, text, start, end } of taken.filter((_, at) => at % step === 0)) {
      const rest = text
        .split("\n")
        .toSpliced(start - 1, end - start + 1)
        .join("\n");
      checked++;
      if (!isValid(shell, rest) && isValid(shell, text)) broken.push(`${path}:${start}-${end}`);
    }
    console.log(`${blocks.length} lines of ${corpus.length} scripts, ${checked} blocks taken out`);
    expect(broken).toEqual([]);
  },
  600_000,
);
