// Editing end to end: a scripted model that reads, edits and writes real files in a session, and
// the same patches applied from the command line.

import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { textOf, userText, type Message } from "@tau/tau/sdk";
import { createReadTool } from "@tau/tau/tools/read/tool";
import { createEditTool } from "@tau/tau/tools/edit/tool";
import type { FileToolSettings } from "@tau/tau/tools/file-tool-settings";
import { Workspace } from "@tau/tau/tools/workspace";
import { createWriteTool } from "@tau/tau/tools/write/tool";
import { contentTag } from "@tau/hashline/tag";
import { createScratchDirectory, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { embed } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join("");

interface Place {
  home: IsolatedHome;
  workspace: Workspace;
  /** As a read tool shows a file: its header. */
  show(path: string): string;
}

/** What the model calls, turn by turn; each turn sees the place and the last result. */
type Turn = (place: Place, last: string) => { name: string; arguments: Record<string, unknown> };

interface Conversation extends AsyncDisposable {
  results: Message[];
  texts: string[];
  details: unknown[];
  place: Place;
}

async function converse(
  turns: readonly Turn[],
  files: Record<string, string>,
  settings: Partial<FileToolSettings> = {},
): Promise<Conversation> {
  let place: Place | undefined;
  const embedding = await embed((request, turn) => {
    const next = turns[turn - 1];
    if (!next) return { text: "done" };
    const last = textOf(request.decoded.messages.at(-1)!);
    return { toolCalls: [next(place!, last)] };
  });
  const { home } = embedding;
  for (const [name, text] of Object.entries(files)) await home.write(name, text);
  const workspace = new Workspace({ cwd: home.root, env: home.env, settings });
  place = {
    home,
    workspace,
    show(path) {
      const real = realpathSync(home.path(path));
      return `¶${path}#${workspace.files.snapshots.record(real, readFileSync(real, "utf8")).tag}`;
    },
  };
  await using session = await embedding.start({
    session: { kind: "memory" },
    // The project is the whole home of the test, which is not overwritten unasked.
    approvalMode: "yolo",
    toolNames: [],
    tools: [createReadTool(workspace), createEditTool(workspace), createWriteTool(workspace)],
  });
  const details: unknown[] = [];
  session.subscribe((event) => {
    if (event.type === "tool_execution_end") details.push(event.details);
  });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  const results = session.messages.filter(({ role }) => role === "toolResult");
  await session[Symbol.asyncDispose]();
  return {
    results,
    texts: results.map(textOf),
    details,
    place,
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await embedding[Symbol.asyncDispose]();
    },
  };
}

const edit = (input: string) => ({ name: "edit", arguments: { input } });

const header = (result: string) => result.split("\n")[0]!;

describe("a session", () => {
  test("reads, edits what it was shown, and reads the new lines under the new tag", async () => {
    const read = () => ({ name: "read", arguments: { path: "a.txt" } });
    await using run = await converse(
      [read, (_, last) => edit(`${header(last)}\ndelete 1..9\n`), read],
      { "a.txt": TEN },
    );
    const [before, edited, after] = run.texts;
    expect(before).toContain("\n10:line 10");
    expect(header(after!)).toBe(header(edited!));
    expect(after).toBe(`${header(edited!)}\n1:line 10`);
    expect(await run.place.home.read("a.txt")).toBe("line 10\n");
  });

  test("edits what it was shown, then with the new tag, then once more with the old one", async () => {
    let first = "";
    await using run = await converse(
      [
        ({ show }) => {
          first = show("a.txt");
          return edit(`${first}\nreplace 2..3:\n+two and three\n`);
        },
        (_, last) => edit(`${header(last)}\ninsert tail:\n+the end\n`),
        () => edit(`${first}\ndelete 9\n`),
      ],
      { "a.txt": TEN },
    );
    const { texts, place } = run;
    const lines = TEN.split("\n");
    lines.splice(1, 2, "two and three");
    lines.splice(7, 1);
    expect(await place.home.read("a.txt")).toBe(`${lines.join("\n")}the end\n`);
    expect(texts[0]).toMatch(
      /^¶a\.txt#\w{4}\n 1:line 1\n-2:line 2\n-3:line 3\n\+2:two and three\n/,
    );
    expect(texts[2]).toContain("Warnings:\nThe tag was from before an earlier edit");
    expect(run.results.map((result) => "isError" in result && result.isError)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("a change from outside elsewhere in the file is kept, at the same lines it refuses", async () => {
    await using run = await converse(
      [
        ({ show, home }) => {
          const header = show("a.txt");
          writeFileSync(home.path("a.txt"), TEN.replace("line 9", "theirs"));
          return edit(`${header}\nreplace 2:\n+mine\n`);
        },
        ({ show, home }) => {
          const header = show("a.txt");
          writeFileSync(home.path("a.txt"), TEN.replace("line 5", "theirs"));
          return edit(`${header}\nreplace 5:\n+mine\n`);
        },
      ],
      { "a.txt": TEN },
    );
    const [kept, refused] = run.texts;
    expect(kept).toContain("changed from outside");
    expect(kept).toContain("+2:mine");
    expect(refused).toContain("Nothing was changed.");
    expect(refused).toContain("*5:theirs");
    expect(await run.place.home.read("a.txt")).toBe(TEN.replace("line 5", "theirs"));
  });

  test("of several files one bad section keeps all as they are", async () => {
    const files = { "a.txt": TEN, "b.txt": TEN, "c.txt": TEN };
    await using run = await converse(
      [
        ({ show }) => {
          const [a, b] = [show("a.txt"), show("b.txt")];
          return edit(`${a}\ndelete 1\n${b}\ndelete 2\n¶c.txt#0000\ndelete 3\n`);
        },
        ({ show }) => {
          const [a, b] = [show("a.txt"), show("b.txt")];
          return edit(`${a}\ndelete 1\n${b}\ndelete 10\n`);
        },
      ],
      files,
    );
    expect(run.texts[0]).toContain("#0000 was never shown for c.txt");
    expect(await run.place.home.read("c.txt")).toBe(TEN);
    expect(await run.place.home.read("a.txt")).toBe(TEN.replace("line 1\n", ""));
    expect(await run.place.home.read("b.txt")).toBe(TEN.replace("line 10\n", ""));
    expect(run.texts[1]).toMatch(/^¶a\.txt#.*\n\n¶b\.txt#/s);
    // Nothing lies about, neither here nor where the journal is.
    expect((await readdir(run.place.home.root)).filter((name) => name.includes("tau-tmp"))).toEqual(
      [],
    );
    expect(await readdir(run.place.home.path(".tau/agent/edits"))).toEqual(["lock"]);
  });

  test("what write returns can be edited without a look", async () => {
    await using run = await converse(
      [
        () => ({
          name: "write",
          arguments: { path: "bin/run.sh", content: "#!/bin/sh\necho héllo\n" },
        }),
        (_, last) => edit(`${header(last)}\nreplace 2:\n+echo bye\n`),
      ],
      {},
    );
    expect(run.texts[0]).toMatch(
      /^¶bin\/run\.sh#\w{4}\nWrote 22 bytes to bin\/run\.sh \(a new file, 2 lines, executable\)\.$/,
    );
    expect(await run.place.home.read("bin/run.sh")).toBe("#!/bin/sh\necho bye\n");
    expect((await stat(run.place.home.path("bin/run.sh"))).mode & 0o100).toBe(0o100);
  });

  test("a block is replaced whole, and its lines are told", async () => {
    const source = "const a = 1;\nfunction f() {\n  return a;\n}\nf();\n";
    await using run = await converse(
      [
        ({ show }) => edit(`${show("a.ts")}\nreplace block 2:\n+const f = () => a;\n`),
        ({ show }) => edit(`${show("a.ts")}\ndelete block 9\n`),
      ],
      { "a.ts": source },
    );
    expect(run.texts[0]).toContain("replace block 2 → resolved lines 2-4 (3 lines)");
    expect(run.texts[1]).toContain("line 9 does not exist");
    expect(await run.place.home.read("a.ts")).toBe("const a = 1;\nconst f = () => a;\nf();\n");
  });

  test("a statement of a script is taken whole or not at all", async () => {
    const script = '#!/bin/sh\ncd "$1" ||\n  exit 1\nif true; then\n  echo\nfi\n';
    await using run = await converse(
      [
        ({ show }) => edit(`${show("run")}\ndelete block 3\n`),
        ({ show }) => edit(`${show("run")}\ndelete block 5\n`),
        ({ show }) => edit(`${show("run")}\ndelete block 2\n`),
      ],
      { run: script },
    );
    expect(run.texts[0]).toContain("lines 2-3");
    expect(run.texts[1]).toContain("`delete 4..6`");
    expect(run.texts[2]).toContain("delete block 2 → resolved lines 2-3 (2 lines)");
    expect(await run.place.home.read("run")).toBe("#!/bin/sh\nif true; then\n  echo\nfi\n");
  });

  test("files are deleted and moved together with other edits, or nothing is", async () => {
    const notebook = JSON.stringify({
      cells: [{ cell_type: "code", source: "x", metadata: {}, outputs: [], execution_count: 1 }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    });
    await using run = await converse(
      [
        ({ show }) =>
          edit(
            `${show("a.txt")}\nmove to lib/a.txt\n${show("b.txt")}\ndelete file\n¶c.txt#0000\ndelete 1`,
          ),
        ({ show }) =>
          edit(
            `${show("a.txt")}\nmove to lib/a.txt\ndelete 2..10\n${show("b.txt")}\ndelete file\n`,
          ),
        (_, last) => edit(`${header(last)}\ninsert tail:\n+more`),
        ({ show }) => edit(`${show("lib/a.txt")}\nmove to c.txt`),
        () => ({ name: "read", arguments: { path: "n.ipynb" } }),
        (_, last) => edit(`${header(last)}\nmove to m.ipynb`),
        () => ({ name: "read", arguments: { path: "m.ipynb" } }),
        (_, last) => edit(`${header(last)}\ndelete file`),
      ],
      { "a.txt": TEN, "b.txt": TEN, "c.txt": TEN, "n.ipynb": notebook },
    );
    const { home } = run.place;
    expect(run.texts[0]).toContain("Nothing was changed.");
    expect(run.texts[1]).toMatch(/^¶lib\/a\.txt#\w{4}\nMoved a\.txt to lib\/a\.txt\n/);
    expect(run.texts[1]).toEndWith("\n\nDeleted b.txt");
    expect(await home.read("lib/a.txt")).toBe("line 1\nmore\n");
    expect(run.texts[3]).toContain("c.txt exists already");
    expect(run.texts[5]).toContain("Moved n.ipynb to m.ipynb");
    expect(run.texts[7]).toBe("Deleted m.ipynb");
    const left = (await readdir(home.root)).filter((name) => /^[abcmn]\./.test(name));
    expect(left).toEqual(["c.txt"]);
    expect(run.details[1]).toMatchObject({
      perFileResults: [
        { path: "a.txt", op: "update", moveTo: "lib/a.txt" },
        { path: "b.txt", op: "delete" },
      ],
    });
  });

  test("generated and foreign files are refused with a way to go on", async () => {
    await using run = await converse(
      [
        ({ show }) => edit(`${show("x.pb.go")}\ndelete 1\n`),
        ({ home, show }) => {
          const header = show("b.txt");
          writeFileSync(home.path("b.txt"), new Uint8Array([0xff, 0x0a]));
          return edit(`${header}\ndelete 1\n`);
        },
        ({ home, show }) => {
          const header = show("c.txt");
          chmodSync(home.path("c.txt"), 0o444);
          return edit(`${header}\ndelete 1\n`);
        },
        () => edit("¶none.txt#0000\ndelete 1\n"),
        ({ show }) => edit(`${show("d.txt")}\ndelete 1\n*** Abort\n`),
      ],
      { "x.pb.go": TEN, "b.txt": "b\n", "c.txt": TEN, "d.txt": TEN },
    );
    expect(run.texts[0]).toContain("edit.blockAutoGenerated");
    expect(run.texts[1]).toContain("is not UTF-8");
    expect(run.texts[2]).toContain("read-only");
    expect(run.texts[3]).toContain("does not exist");
    expect(run.texts[4]).toContain("nothing was changed");
    expect(await run.place.home.read("d.txt")).toBe(TEN);
  });
});

describe("other languages of edits", () => {
  test("replace: once or everywhere, with details for screens", async () => {
    await using run = await converse(
      [
        () => ({
          name: "edit",
          arguments: {
            path: "a.txt",
            edits: [
              { oldText: "line 2\nline 3", newText: "joined" },
              { oldText: "line 10", newText: "last" },
            ],
          },
        }),
        () => ({
          name: "edit",
          arguments: { path: "a.txt", edits: [{ oldText: "line", newText: "row" }] },
        }),
        () => ({
          name: "edit",
          arguments: {
            path: "a.txt",
            edits: [{ oldText: "line", newText: "row", replaceAll: true }],
          },
        }),
      ],
      { "a.txt": TEN },
      { editMode: "replace" },
    );
    expect(run.texts[0]).toStartWith("a.txt:\n 1:line 1\n-2:line 2\n");
    expect(run.texts[1]).toContain("is in the file 7 times");
    expect(await run.place.home.read("a.txt")).toBe(
      "row 1\njoined\nrow 4\nrow 5\nrow 6\nrow 7\nrow 8\nrow 9\nlast\n",
    );
    expect(run.details[0]).toMatchObject({ op: "update", firstChangedLine: 2, path: "a.txt" });
  });

  test("apply_patch: adds, moves, deletes and updates together", async () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      " line 1",
      "-line 2",
      "+zwei",
      "*** Update File: b.txt",
      "*** Move to: lib/b.txt",
      "@@",
      "-bee",
      "+B",
      "*** Delete File: c.txt",
      "*** Add File: new/d.txt",
      "+fresh",
      "*** End Patch",
    ].join("\n");
    await using run = await converse(
      [() => edit(patch), () => edit(patch)],
      { "a.txt": TEN, "b.txt": "bee\n", "c.txt": "sea\n" },
      { editMode: "apply_patch" },
    );
    const { home } = run.place;
    expect(run.texts[0]).toContain("Moved b.txt to lib/b.txt:");
    expect(run.texts[0]).toContain("Deleted c.txt\n\nCreated new/d.txt (1 line)");
    expect(await home.read("a.txt")).toBe(TEN.replace("line 2", "zwei"));
    expect(await home.read("lib/b.txt")).toBe("B\n");
    expect(await home.read("new/d.txt")).toBe("fresh\n");
    expect((await readdir(home.root)).filter((name) => /^[bc]\.txt/.test(name))).toEqual([]);
    expect(run.texts[1]).toContain("Nothing was changed.");
    const { perFileResults } = run.details[0] as { perFileResults: object[] };
    expect(perFileResults).toMatchObject([
      { path: "a.txt", op: "update", firstChangedLine: 2 },
      { path: "b.txt", op: "update", moveTo: "lib/b.txt" },
      { path: "c.txt", op: "delete" },
      { path: "new/d.txt", op: "create" },
    ]);
  });
});

describe("tau edit", () => {
  const DIFF = "--- a/x.txt\n+++ b/x.txt\n@@\n line 1\n-line 2\n+zwei\n";

  test("applies, shows, refuses; exit codes 0, 1 and 2", async () => {
    await using scratch = await createScratchDirectory();
    await using home = await isolatedHome();
    await scratch.write("x.txt", TEN);
    await scratch.write("fix.patch", DIFF);
    const tau = (args: string[], stdin?: string) =>
      runTau(["edit", ...args], { cwd: scratch.root, home, ...(stdin ? { stdin } : {}) });

    const dry = await tau(["--dry-run", "-"], DIFF);
    expect(dry).toMatchObject({ exitCode: 0, stderr: "" });
    expect(dry.stdout).toStartWith("--- a/x.txt\n+++ b/x.txt\n@@ -1,5 +1,5 @@\n line 1\n-line 2\n");
    expect(await scratch.read("x.txt")).toBe(TEN);

    expect(await tau(["fix.patch"])).toEqual({
      exitCode: 0,
      stdout: "updated x.txt\n",
      stderr: "",
    });
    expect(await scratch.read("x.txt")).toBe(TEN.replace("line 2", "zwei"));

    const again = await tau(["fix.patch"]);
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toEndWith("tau: nothing was changed\n");

    for (const args of [[], ["a", "b"], ["none.patch"], ["x.txt"], ["."]]) {
      const wrong = await tau(args);
      expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
      expect(wrong.stderr).toStartWith("tau: ");
    }
  });

  test("a diff in no encoding is applied to bytes; a mail, modes and new files too", async () => {
    await using scratch = await createScratchDirectory();
    await using home = await isolatedHome();
    const latin = (text: string) => Buffer.from(text, "latin1");
    await scratch.write("src/é.txt", "UTF-8 é\n");
    writeFileSync(scratch.path("old.txt"), latin("caf\xe9\nline\nend"));
    const mail = [
      "From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n- a list\n---\n old.txt | 2 +-\n\n",
      "diff --git a/old.txt b/old.txt\n--- a/old.txt\n+++ b/old.txt\n@@ -1,3 +1,3 @@\n-caf\xe9\n+caf\xe8\n line\n end\n\\ No newline at end of file\n",
      'diff --git "a/src/\\303\\251.txt" "b/src/\\303\\251.txt"\n--- "a/src/\\303\\251.txt"\n+++ "b/src/\\303\\251.txt"\n@@ -1 +1 @@\n-UTF-8 \xc3\xa9\n+still \xc3\xa9\n',
      "diff --git a/bin/run b/bin/run\nnew file mode 100755\n--- /dev/null\n+++ b/bin/run\n@@ -0,0 +1 @@\n+exit\n-- \n2.39.5\n",
    ].join("");
    writeFileSync(scratch.path("fix.patch"), latin(mail));
    const done = await runTau(["edit", "fix.patch"], { cwd: scratch.root, home });
    expect(done).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readFileSync(scratch.path("old.txt"))).toEqual(latin("caf\xe8\nline\nend"));
    expect(await scratch.read("src/é.txt")).toBe("still é\n");
    expect((await stat(scratch.path("bin/run"))).mode & 0o111).not.toBe(0);
    // Whoever writes UTF-8 cannot know what a byte of another encoding means.
    const stdin = "--- a/old.txt\n+++ b/old.txt\n@@ -2 +2 @@\n-line\n+Zeile\n";
    const run = (input: string) => runTau(["edit", "-"], { cwd: scratch.root, home, stdin: input });
    expect(await run(stdin)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(scratch.path("old.txt"))).toEqual(latin("caf\xe8\nZeile\nend"));
    const refused = await run(
      stdin.replace("-line", "-Zeile").replace("Zeile\n", "Zeile\n").replace("+Zeile", "+Größe"),
    );
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain("is not UTF-8");
  });

  test("a hashline patch is for the state its tag names", async () => {
    await using scratch = await createScratchDirectory();
    await using home = await isolatedHome();
    await scratch.write("x.txt", TEN);
    const stdin = `¶x.txt#${contentTag(TEN)}\ninsert head:\n+zero\n`;
    const tau = () => runTau(["edit", "--json", "-"], { cwd: scratch.root, home, stdin });
    const applied = JSON.parse((await tau()).stdout) as object;
    expect(applied).toMatchObject({
      status: "applied",
      files: [{ path: "x.txt", op: "update", firstChangedLine: 1 }],
    });
    expect(await scratch.read("x.txt")).toBe(`zero\n${TEN}`);
    const stale = await tau();
    expect(stale.exitCode).toBe(1);
    expect(JSON.parse(stale.stdout)).toMatchObject({
      status: "refused",
      failures: [{ code: "unknown_tag", path: "x.txt", patchLine: 1 }],
    });
    expect(await scratch.read("x.txt")).toBe(`zero\n${TEN}`);
  });
});
