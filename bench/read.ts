// A few lines from the middle of a file that nobody would load: the first time, and again.

import { ToolTable } from "@tau/agent/tool-table";
import { createReadTool } from "@tau/tau/tools/read/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { appendFile } from "node:fs/promises";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const LINE = `${"the quick brown fox jumps over the lazy dog and on it goes ".repeat(2).slice(0, 99)}\n`;
const LINES = 10_000_000;
const LINES_A_WRITE = 100_000;
const MIDDLE = LINES / 2;
const BAR_MS = 50;

export async function measureRead(rounds: number): Promise<Figure[]> {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("big.txt");
  const piece = LINE.repeat(LINES_A_WRITE);
  for (let at = 0; at < LINES; at += LINES_A_WRITE) await appendFile(path, piece);
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
    const table = new ToolTable([createReadTool(workspace)]);
    const read = async (line: number): Promise<number> => {
      const args = { path: `big.txt:${line}+300` };
      const call = { type: "toolCall" as const, id: "c", name: "read", arguments: args };
      const started = performance.now();
      const { signal } = new AbortController();
      const { result } = await table.run(call, { signal, update: () => {} });
      if (result.isError) throw new Error("the file was not read");
      return performance.now() - started;
    };
    first.push(await read(MIDDLE));
    again.push(await read(MIDDLE - 10_000));
  }
  return [
    {
      name: "300 lines from the middle of 1 GB, first time",
      value: median(first),
      unit: "ms",
      bar: BAR_MS,
    },
    {
      name: "300 lines from the middle of 1 GB, again",
      value: median(again),
      unit: "ms",
      bar: BAR_MS,
    },
  ];
}
