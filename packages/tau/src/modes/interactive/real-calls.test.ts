// Views of calls that really ran: what the tools say is what the views understand.

import { expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { fitSpans } from "@tau/tui/components/spans";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { createResolveTool } from "../../features/resolve/resolve-tool.ts";
import { workspaceTools } from "../../features/test/workspace-tools.ts";
import { createEvalTool } from "../../tools/eval/tool.ts";
import { Workspace } from "../../tools/workspace.ts";
import type { CallLook, CallState } from "../../feature-api/tool-view.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { loadToolViews } from "./tool-views.ts";

interface Shown {
  line: string;
  rows: readonly string[];
  full: readonly string[];
  text: string;
}

async function openTools(scratch: ScratchDirectory) {
  const workspace = new Workspace({
    cwd: scratch.root,
    env: { ...process.env, HOME: scratch.root },
  });
  const evalTool = createEvalTool(workspace);
  const resolve = createResolveTool(workspace.files.previews);
  const table = new ToolTable([...(await workspaceTools(workspace)), evalTool, resolve]);
  const viewOf = await loadToolViews(BUILT_IN);
  const look: CallLook = {
    theme: colourlessTheme(),
    columns: 70,
    detail: "short",
    cwd: scratch.root,
  };
  const show = async (
    name: string,
    args: Record<string, unknown>,
    { stopAt }: { stopAt?: string } = {},
  ): Promise<Shown> => {
    const stop = new AbortController();
    let output = "";
    const update = (text: string): void => {
      output += text;
      if (stopAt !== undefined && output.includes(stopAt)) stop.abort();
    };
    const call = { type: "toolCall" as const, id: "c", name, arguments: args };
    const { result, details } = await table.run(call, { signal: stop.signal, update });
    const phase = stop.signal.aborted ? "stopped" : result.isError ? "failed" : "done";
    const state: CallState = { name, arguments: args, phase, output, result, details };
    const view = viewOf(name);
    const title = fitSpans(view.title(state, look), look.columns);
    const remark = view.remark?.(state, look);
    return {
      line: remark === undefined ? title : `${title} · ${remark}`,
      rows: view.body(state, look),
      full: view.body(state, { ...look, detail: "full" }),
      text: result.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    };
  };
  return {
    show,
    workspace,
    viewOf,
    look,
    async [Symbol.asyncDispose]() {
      await evalTool[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

test("files: read, written, edited", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("src/a.ts", "one();\ntwo();\nthree();\n");
  await using tools = await openTools(scratch);
  const { show } = tools;
  const read = await show("read", { path: "src/a.ts" });
  expect(read).toMatchObject({ line: "src/a.ts · 3 lines", rows: [] });
  expect(read.full).toEqual(["src/a.ts", "    1 one();", "    2 two();", "    3 three();"]);
  expect((await show("read", { path: "." })).line).toMatch(/^\. · \d+ entr/);
  expect((await show("read", { path: "gone.ts" })).rows[0]).toContain("gone.ts");
  const created = await show("write", { path: "b.ts", content: "a\nb\n" });
  expect(created).toMatchObject({ line: "b.ts · new, 2 lines", rows: ["1 + a", "2 + b"] });
  const again = await show("write", { path: "b.ts", content: "a\nc\n" });
  expect(again).toMatchObject({ line: "b.ts · +1 −1", rows: ["1   a", "2 - b", "2 + c"] });
  const [, tag] = /#(....)/.exec(read.text)!;
  const input = `¶src/a.ts#${tag}\nreplace 2..2:\n+2();\n`;
  const edit = (await workspaceTools(tools.workspace)).find(({ name }) => name === "edit")!;
  const preview = await edit.preview!({ input });
  const writing: CallState = {
    name: "edit",
    arguments: { input },
    phase: "writing",
    output: "",
    details: preview,
  };
  const changed = ["1   one();", "2 - two();", "2 + 2();", "3   three();"];
  expect(tools.viewOf("edit").body(writing, tools.look)).toEqual(changed);
  expect(await show("edit", { input })).toMatchObject({ line: "src/a.ts · +1 −1", rows: changed });
  const refused = await show("edit", { input: `¶src/a.ts#ZZZZ\ndelete 1\n` });
  expect(refused.rows.length).toBeGreaterThan(0);
  expect(refused.full).toContain("delete 1");
});

test("commands: their end, their exit code, what was seen when they were stopped", async () => {
  await using scratch = await createScratchDirectory();
  await using tools = await openTools(scratch);
  const { show } = tools;
  expect(await show("bash", { command: "seq 1 9" })).toMatchObject({
    line: "seq 1 9",
    rows: ["… +4 lines", "5", "6", "7", "8", "9"],
  });
  expect(await show("bash", { command: "echo no; exit 3" })).toMatchObject({
    line: "echo no; exit 3 · exit code 3",
    rows: ["no"],
  });
  const stopped = await show("bash", { command: "echo begun; sleep 60" }, { stopAt: "begun" });
  expect(stopped.line).toBe("echo begun; sleep 60 · aborted");
  // The shell may have had time to say that it was terminated.
  expect(stopped.rows[0]).toBe("begun");
  const job = await show("bash", { command: "sleep 30", async: true });
  expect(job).toMatchObject({ rows: [] });
  expect(job.line).toMatch(/^sleep 30 · continues as job \S+$/);
  const listed = await show("job", { list: true });
  expect(listed.line).toBe("list · 1 job");
  expect(listed.rows[0]).toMatch(/^\S+ +running +\d+\.\d s +sleep 30$/);
  const cell = { language: "js", code: "console.log(6 * 7)" };
  expect(await show("eval", { cells: [cell] })).toMatchObject({
    line: "console.log(6 * 7) · js",
    rows: ["42"],
  });
  const thrown = await show("eval", { cells: [{ language: "js", code: "throw Error('no')" }] });
  expect(thrown.rows.at(-1)).toBe("Error: no");
});

test("looking for things, and rewriting them by structure", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("src/a.ts", 'console.log("a");\nfine();\n');
  await scratch.write("src/b.ts", 'console.log("b");\n');
  await using tools = await openTools(scratch);
  const { show } = tools;
  const found = await show("search", { pattern: "console", paths: ["src"] });
  expect(found.line).toBe("/console/ in src · 2 matches in 2 files");
  expect(found.rows.toSorted()).toEqual(
    ["src/a.ts", "src/b.ts", '❯   1 console.log("a");', '❯   1 console.log("b");'].toSorted(),
  );
  const none = await show("search", { pattern: "nowhere", paths: ["src"] });
  expect(none).toMatchObject({ line: "/nowhere/ in src · nothing found", rows: [] });
  const paths = await show("find", { paths: ["src/*.ts"] });
  expect(paths.line).toBe("src/*.ts · 2 paths");
  expect(paths.rows.toSorted()).toEqual(["src/a.ts", "src/b.ts"]);
  const grep = await show("ast_grep", { pat: "console.log($A)", paths: "src" });
  expect(grep.line).toBe("console.log($A) in src · 2 matches in 2 files");
  expect(grep.rows).toContain('❯   1 console.log("a");');
  const ops = [{ pat: "console.log($A)", out: "log($A)" }];
  const rewrite = await show("ast_edit", { ops, paths: "src" });
  expect(rewrite.line).toBe("console.log($A) → log($A) in src · 2 in 2 files, not written yet");
  expect(rewrite.rows).toContain('1 - console.log("a");');
  expect(rewrite.rows).toContain('1 + log("a");');
  const applied = await show("resolve", { action: "apply", reason: "asked for" });
  expect(applied.line).toEndWith(" · 2 replacements");
  expect(await Bun.file(scratch.path("src/b.ts")).text()).toBe('log("b");\n');
});
