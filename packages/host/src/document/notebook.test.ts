// A notebook and its text say the same, and an edit changes what was edited and nothing else.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DocumentError } from "./document-error.ts";
import { editNotebook } from "./notebook-edit.ts";
import { notebookText, parseNotebook, parseNotebookText } from "./notebook.ts";

const line = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "# %% [code] cell:0",
    "\\# %% [raw]",
    "# %% [markdown]",
    "# %% x",
    "",
    "\r",
    "print(1)",
  ),
);
const source = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));

interface Cell {
  cell_type: string;
  source: string | string[];
  [key: string]: unknown;
}

const cell: fc.Arbitrary<Cell> = fc
  .record({
    kind: fc.constantFrom("code", "markdown", "raw"),
    source,
    isList: fc.boolean(),
    metadata: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 2,
    }),
    outputs: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 2 }),
    id: fc.string({ unit: fc.constantFrom("a", "b", "1"), minLength: 1, maxLength: 4 }),
  })
  .map(({ kind, source: text, isList, metadata, outputs, id }) => ({
    cell_type: kind,
    id,
    metadata,
    ...(kind === "code" ? { execution_count: 3, outputs } : {}),
    source: isList ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : text,
  }));

const notebook = fc
  .record({
    cells: fc.array(cell, { maxLength: 5 }),
    indent: fc.constantFrom<number | string | undefined>(undefined, 1, 2, "\t"),
    isFirst: fc.boolean(),
  })
  .map(({ cells, indent, isFirst }) => {
    const rest = { metadata: { cells: "no" }, nbformat: 4, nbformat_minor: 5 };
    const whole = isFirst ? { cells, ...rest } : { ...rest, cells };
    return JSON.stringify(whole, null, indent) + (indent === undefined ? "" : "\n");
  });

function rawCells(json: string): string[] {
  return (JSON.parse(json) as { cells: unknown[] }).cells.map((one) => JSON.stringify(one));
}

describe("round trips", () => {
  test("text that is not changed gives back every byte", () => {
    fc.assert(
      fc.property(notebook, (json) => {
        const text = notebookText(json);
        expect(editNotebook(json, text)).toBe(json);
        expect(
          parseNotebookText(text).map(({ kind, source: body }) => ({ kind, source: body })),
        ).toEqual(parseNotebook(json));
      }),
      { numRuns: 300 },
    );
  });

  test("a cell that is changed, removed, added or moved leaves the others as they are", () => {
    fc.assert(
      fc.property(
        notebook,
        fc.nat(),
        source,
        fc.constantFrom("change", "remove", "add", "move"),
        (json, pick, text, what) => {
          const marked = parseNotebookText(notebookText(json));
          const before = rawCells(json);
          if (marked.length === 0 && what !== "add") return;
          const at = marked.length === 0 ? 0 : pick % marked.length;
          const wanted = [...marked];
          const expected: (string | undefined)[] = [...before];
          if (what === "change") {
            wanted[at] = { ...marked[at]!, source: text };
            expected[at] = undefined;
          } else if (what === "remove") {
            wanted.splice(at, 1);
            expected.splice(at, 1);
          } else if (what === "add") {
            wanted.splice(at, 0, { kind: "code", source: text });
            expected.splice(at, 0, undefined);
          } else {
            wanted.push(...wanted.splice(at, 1));
            expected.push(...expected.splice(at, 1));
          }
          const edited = editNotebook(json, printCells(wanted));
          const after = rawCells(edited);
          expect(after).toHaveLength(expected.length);
          for (const [index, raw] of expected.entries()) {
            if (raw !== undefined) expect(after[index]).toBe(raw);
          }
          expect(parseNotebook(edited)).toEqual(
            wanted.map(({ kind, source: body }) => ({ kind, source: body })),
          );
          if (what === "change") {
            const { source: _old, ...kept } = JSON.parse(before[at]!);
            const { source: _new, ...still } = JSON.parse(after[at]!);
            expect(still).toEqual(kept);
          }
          const { cells: _a, ...restBefore } = JSON.parse(json);
          const { cells: _b, ...restAfter } = JSON.parse(edited);
          expect(restAfter).toEqual(restBefore);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function printCells(cells: ReturnType<typeof parseNotebookText>): string {
  const blocks = cells.map(({ kind, source: body, number }) => {
    const lines = body.split("\n").map((one) => (/^\\*# %% \[/.test(one) ? `\\${one}` : one));
    return `# %% [${kind}]${number === undefined ? "" : ` cell:${number}`}\n${lines.join("\n")}`;
  });
  return blocks.length === 0 ? "" : `${blocks.join("\n")}\n`;
}

const SAMPLE = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "aa",
   "metadata": {},
   "source": [
    "# Title\\n",
    "words"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "bb",
   "metadata": {"tags": ["x"]},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["1\\n"]}],
   "source": ["print(1)"]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

test("is shown as text with a marker above each cell", () => {
  expect(notebookText(SAMPLE)).toBe(
    "# %% [markdown] cell:0\n# Title\nwords\n# %% [code] cell:1\nprint(1)\n",
  );
});

test("keeps the layout of the file around a change", () => {
  const edited = editNotebook(SAMPLE, notebookText(SAMPLE).replace("words", "other\nwords"));
  expect(edited).toBe(
    SAMPLE.replace(
      '    "# Title\\n",\n    "words"\n',
      '    "# Title\\n",\n    "other\\n",\n    "words"\n',
    ),
  );
});

test("a cell of another kind loses what only the old kind has", () => {
  const edited = editNotebook(
    SAMPLE,
    notebookText(SAMPLE).replace("[code] cell:1", "[markdown] cell:1"),
  );
  const { cells } = JSON.parse(edited);
  expect(cells[1]).toEqual({
    cell_type: "markdown",
    id: "bb",
    metadata: { tags: ["x"] },
    source: ["print(1)"],
  });
});

test.each([
  ["not json", "corrupt"],
  ["[]", "corrupt"],
  ["null", "corrupt"],
  ['{"cells": 1}', "corrupt"],
  ['{"cells": [null]}', "corrupt"],
  ['{"cells": [{"cell_type": "code"}]}', "corrupt"],
  ['{"worksheets": []}', "unsupported"],
])("%s is refused", (json, code) => {
  expect(() => notebookText(json)).toThrow(DocumentError);
  expect(() => notebookText(json)).toThrow(expect.objectContaining({ code }));
});

test("text without a marker is refused", () => {
  expect(() => editNotebook(SAMPLE, "print(1)")).toThrow("put a line like");
});
