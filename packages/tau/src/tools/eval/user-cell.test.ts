// What the user runs with `$`: in the kernels that the model's cells run in.

import { expect } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import { createEvalTool } from "./tool.ts";
import { runUserCell, userCellMessage } from "./user-cell.ts";

testWith(
  { program: "python3", proves: "that cells of the user share the model's kernels" },
  "variables are shared, failures are told, a stopped cell leaves the kernel usable",
  async () => {
    await using scratch = await createScratchDirectory();
    const env = { HOME: scratch.root, PATH: process.env.PATH, TMPDIR: scratch.root };
    await using workspace = new Workspace({ cwd: scratch.root, env });
    await using tool = createEvalTool(workspace);
    const context = { id: "c", signal: new AbortController().signal, update: () => {} };
    const run = async (language: "py" | "js", code: string, stopAt?: string) => {
      const controller = new AbortController();
      let streamed = "";
      const onOutput = (text: string): void => {
        streamed += text;
        if (stopAt !== undefined && streamed.includes(stopAt)) controller.abort();
      };
      const watch = { signal: controller.signal, onOutput };
      return { ...(await runUserCell(tool.cells, { language, code }, watch)), streamed };
    };
    await tool.execute({ cells: [{ language: "py", code: "x = 20" }] }, context as never);
    expect(await run("py", "print('\\033[31mred\\033[0m'); x + 1")).toMatchObject({
      text: "red\n21",
      streamed: "red\n21\n",
      images: [],
    });
    expect(await run("js", "globalThis.y = 4; y * 2")).toMatchObject({ text: "8" });
    const failed = await run("py", "1/0");
    expect(failed.failure).toStartWith("ZeroDivisionError");
    expect(userCellMessage({ language: "py", code: "1/0" }, failed)).toEndWith(
      `[${failed.failure}]`,
    );
    const stopped = await run("py", "import time\nprint('up', flush=True)\ntime.sleep(300)", "up");
    expect(stopped.failure).toStartWith("aborted");
    expect(await run("py", "x")).toMatchObject({ text: "20" });
  },
);
