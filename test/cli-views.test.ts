// tau grep, tau find and tau read as people and scripts run them.

import { describe, expect, test } from "bun:test";
import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { createSearchTool } from "@tau/tau/tools/search/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { canInspectProcesses, descendants, findProcesses } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory, isolatedHome, type ScratchDirectory } from "@tau/testkit/scratch";
import { TerminalSession } from "@tau/testkit/terminal";
import { launcher, root, runTau, spawnTau } from "./support/run-tau.ts";

interface Place extends AsyncDisposable {
  files: ScratchDirectory;
  tau(...args: string[]): ReturnType<typeof runTau>;
  home: Awaited<ReturnType<typeof isolatedHome>>;
}

async function place(files: Record<string, string | Uint8Array>): Promise<Place> {
  const home = await isolatedHome();
  const scratch = await createScratchDirectory();
  for (const [at, [path, content]] of Object.entries(files).entries()) {
    const absolute = await scratch.write(path, content);
    await utimes(absolute, 1_700_000_000 + at, 1_700_000_000 + at);
  }
  return {
    home,
    files: scratch,
    tau: (...args) => runTau(args, { cwd: scratch.root, home }),
    async [Symbol.asyncDispose]() {
      await scratch[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const POEM = "Roses are red\nviolets are blue\nsugar is sweet\nand so are you\n";

describe("tau grep", () => {
  test("prints path, line and text, and ends like grep", async () => {
    await using p = await place({ "a/poem.txt": POEM, "b.txt": "ARE WE\n" });
    expect(await p.tau("grep", "are")).toEqual({
      stdout: [
        "a/poem.txt:1:Roses are red\n",
        "a/poem.txt:2:violets are blue\n",
        "a/poem.txt:4:and so are you\n",
      ].join(""),
      stderr: "",
      exitCode: 0,
    });
    expect(await p.tau("grep", "nowhere")).toEqual({ stdout: "", stderr: "", exitCode: 1 });
    expect((await p.tau("grep", "-i", "are$", "b.txt")).exitCode).toBe(1);
    expect((await p.tau("grep", "-i", "are we", "b.txt")).stdout).toBe("b.txt:1:ARE WE\n");
  });

  test("takes context as grep does", async () => {
    await using p = await place({ "a.txt": POEM, "b.txt": POEM });
    expect((await p.tau("grep", "-A1", "violets", "a.txt")).stdout).toBe(
      "a.txt:2:violets are blue\na.txt-3-sugar is sweet\n",
    );
    expect((await p.tau("grep", "-C", "1", "-B0", "sugar", "a.txt")).stdout).toBe(
      "a.txt:3:sugar is sweet\na.txt-4-and so are you\n",
    );
    expect((await p.tau("grep", "-B", "1", "^(violets|and)")).stdout).toBe(
      [
        "a.txt-1-Roses are red\na.txt:2:violets are blue\n",
        "a.txt-3-sugar is sweet\na.txt:4:and so are you\n--\n",
        "b.txt-1-Roses are red\nb.txt:2:violets are blue\n",
        "b.txt-3-sugar is sweet\nb.txt:4:and so are you\n",
      ].join(""),
    );
  });

  test("gives everything as JSON, also nothing", async () => {
    await using p = await place({ "a.txt": POEM });
    const { stdout, exitCode } = await p.tau("grep", "--json", "so (are)", "a.txt:2-4");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      files: [
        {
          path: "a.txt",
          matches: 1,
          lines: [
            {
              line: 4,
              kind: "match",
              text: "and so are you",
              offset: 0,
              truncated: false,
              column: 5,
              ranges: [[4, 10]],
            },
          ],
        },
      ],
      totals: { files: 1, matches: 1 },
      complete: true,
      missing: [],
    });
    const none = await p.tau("grep", "--json", "nowhere");
    expect(none.exitCode).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({ files: [], complete: true });
  });

  test("honours ignore rules unless told, and no path that a person named is split", async () => {
    await using p = await place({
      ".gitignore": "*.log\n",
      "x.log": "needle\n",
      "one, two.txt": "needle\n",
      ".dot": "needle\n",
    });
    await mkdir(p.files.path(".git"));
    expect((await p.tau("grep", "needle")).stdout).toBe(".dot:1:needle\none, two.txt:1:needle\n");
    expect((await p.tau("grep", "--no-ignore", "needle")).stdout).toContain("x.log:1:needle\n");
    expect((await p.tau("grep", "needle", "one, two.txt")).exitCode).toBe(0);
  });

  test("mistakes are one sentence and 2", async () => {
    await using p = await place({ "a.txt": "needle\n" });
    const cases: [string[], string][] = [
      [["grep"], "tau: say what to look for\n"],
      [["grep", "x", "gone"], "tau: gone does not exist."],
      [["grep", "[z-a]"], "tau: Invalid regular expression"],
      [["grep", "-C", "x", "y"], "tau: --context takes a whole number"],
      [["grep", "x", "/"], "tau: / is the whole disk"],
      [["grep", "x", "a.txt:0"], "tau: Lines are counted from 1"],
    ];
    for (const [args, sentence] of cases) {
      const { stdout, stderr, exitCode } = await p.tau(...args);
      expect(stderr).toStartWith(sentence);
      expect({ args, stdout, exitCode }).toEqual({ args, stdout: "", exitCode: 2 });
    }
    expect(await p.tau("grep", "needle", "a.txt", "gone")).toEqual({
      stdout: "a.txt:1:needle\n",
      stderr: "tau: gone does not exist\n",
      exitCode: 0,
    });
    expect((await p.tau("grep", "nothing", "a.txt", "gone")).exitCode).toBe(2);
  });

  test("a line too long to print is cut, and that is said", async () => {
    await using p = await place({ "min.js": `${"x".repeat(9000)}needle\n` });
    const { stdout, stderr, exitCode } = await p.tau("grep", "needle");
    expect(stdout.length).toBeLessThan(4200);
    expect(stdout).toContain("needle");
    expect(stderr).toBe("tau: lines are cut to 4096 characters\n");
    expect(exitCode).toBe(0);
  });

  testWith(
    { program: "bash", proves: "that a reader who goes away is a good end" },
    "a reader who goes away is a good end",
    async (bash) => {
      const many = Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`f${at}.txt`, "needle and more\n".repeat(2000)]),
      );
      await using p = await place(many);
      const script = `set -o pipefail; "${launcher}" grep needle | head -1`;
      const run = await runTau(["-c", script], {
        cwd: p.files.root,
        home: p.home,
        program: [bash],
      });
      expect(run).toEqual({ stdout: "f0.txt:1:needle and more\n", stderr: "", exitCode: 0 });
      const found = `set -o pipefail; "${launcher}" find | head -2 | wc -l`;
      const two = await runTau(["-c", found], { cwd: p.files.root, home: p.home, program: [bash] });
      expect(two.stdout.trim()).toBe("2");
    },
  );

  test("waits for nothing on standard input", async () => {
    await using p = await place({ "a.txt": "needle\n" });
    const child = Bun.spawn([launcher, "grep", "needle"], {
      cwd: p.files.root,
      env: p.home.env,
      stdin: "pipe",
      stdout: "pipe",
    });
    expect(await child.stdout.text()).toBe("a.txt:1:needle\n");
    expect(await child.exited).toBe(0);
  });

  test("on a terminal: a heading for each file, matches in colour, nothing that commands it", async () => {
    await using p = await place({ "a.txt": "one\nneedle \x1b[31mred\x1b]0;owned\x07\n" });
    const options = { cwd: p.files.root, env: p.home.env };
    await using terminal = new TerminalSession([launcher, "grep", "need"], options);
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    expect(terminal.screen().slice(0, 2)).toEqual(["a.txt", "2:needle ␛[31mred␛]0;owned␇"]);
    expect(terminal.title()).not.toBe("owned");
    const isBold = (column: number) => terminal.cell(1, column)?.bold === true;
    expect([2, 5, 6].map(isBold)).toEqual([true, true, false]);
    const env = { ...p.home.env, NO_COLOR: "1" };
    await using plain = new TerminalSession([launcher, "grep", "need"], { ...options, env });
    await plain.exited;
    expect(plain.cell(1, 2)?.bold).toBe(false);
    expect(plain.screen()[0]).toBe("a.txt");
  });
});

describe("tau find", () => {
  test("prints a path a line, the newest first, and ends with 1 where there is none", async () => {
    await using p = await place({ "src/a.ts": "", "src/deep/b.ts": "", "c.md": "", ".d.ts": "" });
    expect(await p.tau("find", "*.ts")).toEqual({
      stdout: ".d.ts\nsrc/deep/b.ts\nsrc/a.ts\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await p.tau("find", "src/*.ts", "*.md")).stdout).toBe("c.md\nsrc/a.ts\n");
    expect((await p.tau("find", "--no-hidden", "-n1", "*.ts")).stdout).toBe("src/deep/b.ts\n");
    expect((await p.tau("find", "-0", "src/*.ts")).stdout).toBe("src/a.ts\0");
    expect((await p.tau("find", "src")).stdout.split("\n").toSorted()).toEqual([
      "",
      "src/a.ts",
      "src/deep/",
      "src/deep/b.ts",
    ]);
    expect(await p.tau("find", "*.rs")).toEqual({ stdout: "", stderr: "", exitCode: 1 });
  });

  test("as JSON, with when each was changed", async () => {
    await using p = await place({ "a.ts": "", "b.ts": "" });
    const { stdout } = await p.tau("find", "--json", "--limit", "1", "*.ts");
    expect(JSON.parse(stdout)).toEqual({
      paths: [{ path: "b.ts", modified: "2023-11-14T22:13:21.000Z" }],
      matched: 2,
      complete: false,
      missing: [],
    });
  });

  test("honours ignore rules unless told", async () => {
    await using p = await place({ ".gitignore": "out/\n", "out/a.ts": "" });
    await mkdir(p.files.path(".git"));
    expect((await p.tau("find", "*.ts")).exitCode).toBe(1);
    expect((await p.tau("find", "--no-ignore", "*.ts")).stdout).toBe("out/a.ts\n");
  });

  test("mistakes are one sentence and 2", async () => {
    await using p = await place({});
    const cases: [string[], string][] = [
      [["find", "gone"], "tau: gone does not exist."],
      [["find", "/"], "tau: / would look through the whole disk"],
      [["find", "--limit", "0"], "tau: --limit takes a whole number from 1"],
      [["find", "--hidden", "--no-hidden"], "tau: --hidden and --no-hidden exclude each other"],
    ];
    for (const [args, sentence] of cases) {
      const { stdout, stderr, exitCode } = await p.tau(...args);
      expect(stderr).toStartWith(sentence);
      expect({ args, stdout, exitCode }).toEqual({ args, stdout: "", exitCode: 2 });
    }
  });
});

describe("tau read", () => {
  test("shows what the model sees; plainly, the text alone", async () => {
    await using p = await place({ "a.txt": POEM });
    expect((await p.tau("read", "a.txt:2-2")).stdout).toMatch(
      /^¶a\.txt#[0-9A-Z]{4}\n1:Roses are red\n2:violets are blue\n3:sugar is sweet\n4:and so are you\n$/,
    );
    expect(await p.tau("read", "--plain", "a.txt")).toEqual({
      stdout: POEM,
      stderr: "",
      exitCode: 0,
    });
    expect((await p.tau("read", ".")).stdout).toMatch(/^a\.txt  61 B  /);
    expect((await p.tau("read", "--plain", "a.txt:2-2,4")).stdout).toBe(
      "violets are blue\nand so are you\n",
    );
  });

  test("plainly, every byte of a file with long lines and many of them", async () => {
    const long = `${"x".repeat(90_000)}\n${"line\n".repeat(5000)}${"y".repeat(90_000)}`;
    await using p = await place({ "long.txt": long });
    expect((await p.tau("read", "--plain", "long.txt")).stdout).toBe(long);
    expect((await p.tau("read", "--plain", "long.txt:1-1")).stdout).toBe(long.slice(0, 90_001));
  });

  test("what cannot be read is one sentence and 1; what makes no sense is 2", async () => {
    await using p = await place({ "a.bin": Buffer.from([0, 1, 2]) });
    expect(await p.tau("read", "gone.txt")).toMatchObject({ stdout: "", exitCode: 1 });
    const binary = await p.tau("read", "a.bin");
    expect(binary.stderr).toStartWith("tau: a.bin is a binary file");
    expect(binary.exitCode).toBe(1);
    expect(await p.tau("read")).toMatchObject({ exitCode: 2 });
    const prompt = await p.tau("read", "the", "docs");
    expect(prompt.stderr).toStartWith("tau: read takes one path; to send it as a prompt: tau --");
    expect(prompt.exitCode).toBe(2);
  });
});

testWith(
  { program: "bash", proves: "that the examples of the page on finding are true" },
  "the examples of docs/finding.md give what the page says, to people and to the model",
  async (bash) => {
    const page = await Bun.file(join(root, "docs/finding.md")).text();
    const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text!);
    const examples = blocks.flatMap((text) =>
      text.split(/^\$ /m).flatMap((example) => {
        const [, command, output] = /^((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(example) ?? [];
        return command === undefined ? [] : [{ command, output: output! }];
      }),
    );
    expect(examples.length).toBeGreaterThan(12);
    await using p = await place({});
    const mark = "-----next-----";
    const commands = examples.map(({ command }) => `${command}echo ${mark}\n`).join("");
    const script = `tau() { "${launcher}" "$@"; }\n${commands}`;
    const run = await runTau(["-c", script], { cwd: p.files.root, home: p.home, program: [bash] });
    expect(run.stderr).toBe("");
    const outputs = run.stdout.split(`${mark}\n`).slice(0, -1);
    expect(examples.map(({ command }, at) => ({ command, output: outputs[at]! }))).toEqual(
      examples,
    );
    const [, listing] = /```listing\n([\s\S]*?)\n```/.exec(page)!;
    await using workspace = new Workspace({ cwd: p.files.root, env: p.home.env });
    const context = { id: "c", signal: new AbortController().signal, update: () => {} };
    const tool = createSearchTool(workspace);
    const { content } = await tool.execute({ pattern: "withTax", paths: "." }, context);
    expect(content).toEqual([{ type: "text", text: listing! }]);
  },
);

test("none of them loads a model, a provider or a session on its way", async () => {
  for (const command of ["search/grep", "find/find", "read/read"]) {
    const loaded = await staticImports(`packages/tau/src/tools/${command}-command.ts`);
    expect(loaded.length).toBeGreaterThan(20);
    const heavy =
      /^packages\/(ai|tui)\/(?!src\/terminal\/own-exit\.ts$)|^packages\/tau\/src\/(session|model|credentials|demo)\//;
    expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  }
});

/** Every file of ours that is loaded before the first line of this one runs. */
async function staticImports(start: string): Promise<string[]> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const seen = new Set([start]);
  for (const file of seen) {
    if (!file.endsWith(".ts")) continue;
    const imports = transpiler.scanImports(await Bun.file(join(root, file)).text());
    for (const { path, kind } of imports) {
      const ours = /^@tau\/([^/]+)\/(.+)$/.exec(path);
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) seen.add(join(file, "..", path));
      else if (ours) seen.add(`packages/${ours[1]}/src/${ours[2]}.ts`);
    }
  }
  return [...seen];
}

test("none of them touches the home or leaves a session", async () => {
  await using p = await place({ "a.txt": "needle\n" });
  for (const args of [["grep", "needle"], ["find"], ["read", "a.txt"]]) {
    expect((await p.tau(...args)).exitCode).toBe(0);
  }
  expect(await Bun.file(p.home.path(".tau")).exists()).toBe(false);
  const left = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: p.home.root, dot: true }));
  expect(left).toEqual([]);
});

test.skipIf(!canInspectProcesses)(
  "an interrupt ends a search and its engine with 130",
  async () => {
    await using p = await place({ "big.txt": "some words of many kinds\n".repeat(1_500_000) });
    const child = spawnTau(["grep", "(?:\\w{1,20}\\s){40}[A-Z]{3}\\d"], {
      cwd: p.files.root,
      home: p.home,
    });
    const isEngine = ({ command }: { command: string }) =>
      command.includes("--json") || command.includes("/rg ");
    const engines = async () => (await descendants(child.pid)).filter(isEngine);
    while ((await engines()).length === 0 && child.exitCode === null) await Bun.sleep(5);
    const [engine] = await engines();
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(await findProcesses(({ pid }) => pid === engine?.pid)).toEqual([]);
  },
);
