// The law of long lines: whatever a listing shows of a file, an edit made from it is exact or it is
// refused. A line that was shown in part must not be replaced by that part.

import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { createReadTool } from "../read/tool.ts";
import { createSearchTool } from "../search/tool.ts";
import { Workspace } from "../workspace.ts";
import { createWriteTool } from "../write/tool.ts";
import { createEditTool } from "./tool.ts";

/** `TAU_LAW_FILES=10000` for the whole of it. */
const FILES = Number(process.env["TAU_LAW_FILES"] ?? 300);

const length = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 90 }) },
  { weight: 2, arbitrary: fc.integer({ min: 505, max: 530 }) },
  { weight: 2, arbitrary: fc.integer({ min: 530, max: 5000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5000, max: 100_000 }) },
);
const line = fc.record({ length, seed: fc.nat(9999) }).map(({ length: chars, seed }) => {
  const word = ["alpha ", "日本 ", "x=1; ", "😀", "{} "][seed % 5]!;
  return `${seed} ${word.repeat(Math.ceil(chars / word.length))}`
    .slice(0, chars + 5)
    .toWellFormed();
});
const file = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 20 }),
  ending: fc.constantFrom("\n", "\r\n"),
});
/** How the model looks at it, and what it does with a row that it saw. */
const use = fc.record({
  look: fc.constantFrom("whole", "range", "raw range", "columns", "search"),
  row: fc.nat(),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  keepsNote: fc.boolean(),
  tool: fc.constantFrom("edit", "edit", "edit", "write"),
});

function tools(scratch: ScratchDirectory) {
  const workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const table = new ToolTable([
    createReadTool(workspace),
    createSearchTool(workspace),
    createEditTool(workspace),
    createWriteTool(workspace),
  ]);
  const call = async (name: string, args: Record<string, unknown>) => {
    const asked = { type: "toolCall" as const, id: "c", name, arguments: args };
    const { signal } = new AbortController();
    const { result } = await table.run(asked, { signal, update: () => {} });
    return { text: textOf(result), isError: result.isError };
  };
  return { call, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

test(
  "an edit made from what was shown is exact or refused",
  async () => {
    await using scratch = await createScratchDirectory();
    const count = { exact: 0, refused: 0 };
    let number = 0;
    await fc.assert(
      fc.asyncProperty(file, use, async ({ lines, ending }, { look, row, at, keepsNote, tool }) => {
        const path = `f${number++}.txt`;
        const before = lines.map((each) => `${each}${ending}`).join("");
        await scratch.write(path, before);
        await using t = tools(scratch);
        const asked = 1 + (row % lines.length);
        const listing = await lookAt(t.call, path, look, asked);
        const rows = [...listing.matchAll(/^[* ]?(\d+):(.*)$/gm)];
        const [, tag] = /#([0-9A-Z]{4})/.exec(listing) ?? [];
        if (tag === undefined || rows.length === 0) return;
        const picked =
          rows.find(([, shown]) => Number(shown) === asked) ?? rows[row % rows.length]!;
        const line = Number(picked[1]);
        const shown = keepsNote ? picked[2]! : picked[2]!.replace(/…?(?: \[line .*\])?$/, "");
        const cut = Math.floor(shown.length * at);
        const changed = `${shown.slice(0, cut)}CHANGED${shown.slice(cut)}`.toWellFormed();
        const result =
          tool === "edit"
            ? await t.call("edit", {
                input: `¶${path}#${tag}\nreplace ${line}..${line}:\n+${changed}\n`,
              })
            : await t.call("write", {
                path,
                content: lines
                  .map((each, index) => `${index + 1 === line ? changed : each}${ending}`)
                  .join(""),
              });
        const after = await readFile(scratch.path(path), "utf8");
        if (result.isError) {
          count.refused++;
          expect(after).toBe(before);
          return;
        }
        count.exact++;
        const whole = lines[line - 1]!;
        // Only what was shown whole may have been changed.
        expect(shown).toBe(whole);
        const expected = lines
          .with(line - 1, changed)
          .map((each) => `${each}${ending}`)
          .join("");
        expect(after).toBe(expected);
      }),
      { numRuns: FILES, seed: Number(process.env["TAU_LAW_SEED"] ?? 1) },
    );
    // Neither way is empty, or the law would say nothing.
    expect(count.exact).toBeGreaterThan(FILES / 4);
    expect(count.refused).toBeGreaterThan(FILES / 50);
  },
  { timeout: 900_000 },
);

async function lookAt(
  call: (name: string, args: Record<string, unknown>) => Promise<{ text: string }>,
  path: string,
  look: string,
  line: number,
): Promise<string> {
  const whole = (await call("read", { path })).text;
  switch (look) {
    case "range":
      return (await call("read", { path: `${path}:${line}-${line}` })).text;
    case "raw range":
      await call("read", { path: `${path}:${line}-${line}:raw` });
      return whole;
    case "columns":
      await call("read", { path: `${path}:${line}:513-` });
      return whole;
    case "search":
      return (await call("search", { pattern: "[a-z0-9]", paths: path })).text;
    default:
      return whole;
  }
}
