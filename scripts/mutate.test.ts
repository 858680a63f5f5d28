import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMutants } from "./mutate/make-mutants.ts";

const SOURCE = `import type { Log } from "./log.ts";

/** Only whole numbers count. */
export function add(log: Log, sum: number, more: number): number {
  if (!Number.isInteger(more)) return sum;
  log.push(more);
  return sum + more;
}
`;
const TEST = `import { expect, test } from "bun:test";
import { add } from "./add.ts";

test("adds whole numbers", () => {
  expect(add([], 1, 2)).toBe(3);
  expect(add([], 1, 0.5)).toBe(1);
});
`;

class Tree implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "tau-mutate-test-"));

  async write(files: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries(files)) await Bun.write(join(this.root, path), text);
  }

  async mutate(...args: string[]): Promise<{ code: number; text: string }> {
    const script = join(import.meta.dir, "mutate.mjs");
    const allow = ["--root", this.root, "--allow", join(this.root, "allowed.json")];
    const child = Bun.spawn([process.execPath, script, "packages/tiny/src", ...allow, ...args], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, text: out + error };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const tiny = (allowed: unknown[] = []): Record<string, string> => ({
  "packages/tiny/src/add.ts": SOURCE,
  "packages/tiny/src/log.ts": "export type Log = number[];\n",
  "packages/tiny/src/add.test.ts": TEST,
  "allowed.json": JSON.stringify(allowed),
});

test("the line that no test guards is named, the others are not; the tree stays as it is", async () => {
  using tree = new Tree();
  await tree.write(tiny());
  const { code, text } = await tree.mutate();
  expect(text).toStartWith("packages/tiny/src/add.ts:6: without log.push(more);\n");
  expect(text).toContain(" 1 survived;");
  expect(code).toBe(1);
  expect(readFileSync(join(tree.root, "packages/tiny/src/add.ts"), "utf8")).toBe(SOURCE);
});

test("what is known to change nothing is not tried; an entry for what is gone is named", async () => {
  using tree = new Tree();
  const file = "packages/tiny/src/add.ts";
  const known = { file, change: "without log.push(more);", reason: "nobody reads it" };
  await tree.write(tiny([known]));
  expect(await tree.mutate()).toMatchObject({
    code: 0,
    text: expect.stringContaining("0 survived; 0 do not compile, 1 are known to change nothing"),
  });
  await tree.write(tiny([known, { file, change: "without gone();", reason: "old" }]));
  expect(await tree.mutate()).toMatchObject({
    code: 1,
    text: expect.stringContaining(`no longer there: ${file}: without gone();`),
  });
});

test("a change that never ends is stopped, and has been noticed", async () => {
  using tree = new Tree();
  const count = `export function count(to: number): number {
  let at = 0;
  while (at < to) {
    at++;
  }
  return at;
}
`;
  await tree.write({
    "packages/tiny/src/count.ts": count,
    "packages/tiny/src/count.test.ts": `import { expect, test } from "bun:test";
import { count } from "./count.ts";
test("counts", () => expect(count(3)).toBe(3));
`,
    "allowed.json": "[]",
  });
  const { code, text } = await tree.mutate("--timeout", "1000");
  expect(text).toContain(" 0 survived");
  expect(code).toBe(0);
});

test("survivors of the package's own tests may be put to all others", async () => {
  using tree = new Tree();
  await tree.write({
    ...tiny(),
    "test/log.test.ts": `import { expect, test } from "bun:test";
import { add } from "../packages/tiny/src/add.ts";
test("keeps a log", () => {
  const log: number[] = [];
  add(log, 1, 2);
  expect(log).toEqual([2]);
});
`,
  });
  expect((await tree.mutate()).code).toBe(1);
  expect((await tree.mutate("--wide")).code).toBe(0);
});

test("what the compiler refuses is not listed; a name that nobody uses is no refusal", async () => {
  using tree = new Tree();
  await tree.write({
    "packages/tiny/src/point.ts": `interface Point {
  x: number;
  name: string;
}
export function point(x: number, log: string[]): Point {
  log.push("made");
  return { x, name: "p" };
}
`,
    "packages/tiny/src/point.test.ts": `import { expect, test } from "bun:test";
import { point } from "./point.ts";
test("has an x", () => expect(point(1, []).x).toBe(1));
`,
    "tsconfig.json":
      '{ "compilerOptions": { "strict": true, "noUnusedParameters": true, "types": [] } }',
    "allowed.json": "[]",
  });
  const { text } = await tree.mutate();
  expect(text).toContain('point.ts:6: without log.push("made");');
  expect(text).toContain(" 1 survived; 1 do not compile");
});

test("with tests that fail anyway nothing is claimed", async () => {
  using tree = new Tree();
  await tree.write({ ...tiny(), "packages/tiny/src/add.test.ts": TEST.replace("(3)", "(4)") });
  const { code, text } = await tree.mutate();
  expect(code).toBe(2);
  expect(text).toContain("add.test.ts fails as it is");
});

test("stopped, it says how far it came and leaves nothing behind", async () => {
  using tree = new Tree();
  await tree.write(tiny());
  await tree.write({
    "packages/tiny/src/add.test.ts": `${TEST}\nif (!(await Bun.file("${tree.root}/seen").exists())) await Bun.write("${tree.root}/seen", process.cwd()); else await new Promise(() => setInterval(() => {}, 1000));`,
  });
  const script = join(import.meta.dir, "mutate.mjs");
  const args = [
    "packages/tiny/src",
    "--root",
    tree.root,
    "--allow",
    join(tree.root, "allowed.json"),
  ];
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "pipe" });
  const seen = join(tree.root, "seen");
  let copy = "";
  while (copy === "") {
    await Bun.sleep(10);
    if (existsSync(seen)) copy = readFileSync(seen, "utf8");
  }
  child.kill("SIGTERM");
  expect(await child.stdout.text()).toContain("stopped; ");
  expect(await child.exited).toBe(1);
  expect(existsSync(copy)).toBe(false);
});

test("what survived an earlier run can be tried again, and nothing else", async () => {
  using tree = new Tree();
  await tree.write(tiny());
  const first = await tree.mutate();
  await tree.write({
    "before.txt": first.text,
    "packages/tiny/src/add.ts": `// One line more.\n${SOURCE}`,
  });
  const again = await tree.mutate("--again", join(tree.root, "before.txt"));
  expect(again.text).toStartWith(
    "packages/tiny/src/add.ts:7: without log.push(more);\n1 mutants, 1",
  );
});

test("a sample is the same for the same seed", async () => {
  using tree = new Tree();
  await tree.write(tiny());
  const some = await tree.mutate("--sample", "2", "--seed", "7");
  expect(some.text).toContain("2 mutants, ");
  expect(await tree.mutate("--sample", "2", "--seed", "7")).toEqual(some);
  expect((await tree.mutate("--file", "log")).text).toContain("0 mutants, ");
});

test("each part that matters is broken in its own way; types, imports and comments are not", () => {
  const changes = (source: string): string[] => makeMutants(source).map(({ change }) => change);
  expect(changes(SOURCE)).toEqual([
    "never if (!Number.isInteger(more)) return sum;",
    "always if (!Number.isInteger(more)) return sum;",
    "result withheld return sum;",
    "without log.push(more);",
    "result withheld return sum + more;",
  ]);
  expect(changes("const a = b || c;")).toEqual([
    "only the first of b || c",
    "only the second of b || c",
  ]);
  expect(changes("const a = b < c;")).toEqual(["<= in b < c", "never b < c", "always b < c"]);
  expect(changes("f(a, { b, ...c });")).toEqual([
    "without f(a, { b, ...c });",
    "without { b, ...c }",
    "without b",
    "without ...c",
  ]);
  expect(changes("const f = async (a = 1) => await a;")).toEqual([
    "result withheld async (a = 1) => await a",
    "without the default of a = 1",
    "not awaited await a",
  ]);
  expect(changes("{ using a = b(); try { c(); } finally { d(); } }")).toEqual([
    "not disposed using a = b();",
    "without c();",
    "without finally { d(); }",
  ]);
  expect(changes("interface A { b?: string }\ntype C = A | undefined;")).toEqual([]);
});
