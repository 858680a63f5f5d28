// The law of edits: whatever the file looks like and whoever else writes to it, the file then is
// exactly what the patch says together with what the other one wrote, or the edit is refused and
// not a byte of it has changed.

import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { FileProblem } from "../../files/file-problem.ts";
import { Workspace } from "../workspace.ts";
import { applyEdit } from "./apply-edit.ts";

const disk = createDiskStorage();

/** Lines know who they are, so that one can say what two changes make together. */
interface Line {
  id: number;
  text: string;
}

interface Look {
  ending: "\n" | "\r\n";
  isEnded: boolean;
  hasMark: boolean;
}

type Operation =
  | { kind: "replace"; at: number; text: string }
  | { kind: "delete"; at: number }
  | { kind: "insert"; at: number; text: string };

const lineText = fc.oneof(
  fc.string({ maxLength: 8, unit: "grapheme" }),
  fc.constantFrom("", "+plus", "-minus", "100:number", "¶x#0000", "\ttab ", "日本語", "a\rb"),
);
/** Rows that look like parts of a listing or a diff are asked about; that has tests of its own. */
const line = lineText.filter(
  (text) => !/[\n\uFEFF]|\r$|^ |^[*>]?\d{1,2}:/.test(text) && text.isWellFormed(),
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant("replace" as const), at: fc.nat(), text: line }),
  fc.record({ kind: fc.constant("delete" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("insert" as const), at: fc.nat(), text: line }),
);

const look: fc.Arbitrary<Look> = fc.record({
  ending: fc.constantFrom("\n" as const, "\r\n" as const),
  isEnded: fc.boolean(),
  hasMark: fc.boolean(),
});

function render(lines: readonly Line[], { ending, isEnded, hasMark }: Look): string {
  const text = lines.map((one) => one.text).join(ending);
  return `${hasMark ? "\uFEFF" : ""}${text}${isEnded && lines.length > 0 ? ending : ""}`;
}

/** Undefined where the line is not there any more, or not the same. */
function perform(
  lines: readonly Line[],
  base: readonly Line[],
  { kind, ...rest }: Operation,
  newId: number,
): Line[] | undefined {
  const wanted = base[rest.at % base.length]!;
  const at = lines.findIndex(({ id, text }) => id === wanted.id && text === wanted.text);
  if (at < 0) return undefined;
  const made = "text" in rest ? [{ id: newId, text: rest.text }] : [];
  if (kind === "insert") return lines.toSpliced(at + 1, 0, ...made);
  return lines.toSpliced(at, 1, ...made);
}

function patchFor(header: string, { kind, ...rest }: Operation, count: number): string {
  const line = (rest.at % count) + 1;
  const body = "text" in rest ? `+${rest.text}\n` : "";
  if (kind === "delete") return `${header}\ndelete ${line}\n`;
  return `${header}\n${kind === "insert" ? "insert after" : "replace"} ${line}:\n${body}`;
}

/** When the other one writes: never, before the edit is planned, or while it is being made. */
const moment = fc.constantFrom("never", "before", "staging", "journal");

test("an edit is exact, or refused without a trace", async () => {
  await using scratch = await createScratchDirectory();
  await mkdir(scratch.path("work"));
  const seen = { exact: 0, merged: 0, refused: 0 };
  let round = 0;
  const law = fc.asyncProperty(
    fc.array(line, { minLength: 4, maxLength: 9 }),
    look,
    operation,
    operation,
    moment,
    async (given, wanted, ours, theirs, when) => {
      // With another writer every line is unique: of equal ones nobody could say which is which.
      const texts = when === "never" ? given : given.map((text, at) => `${text} ${at}`);
      // An empty last line without an end is no line.
      const isEnded =
        wanted.isEnded ||
        texts.includes("") ||
        ("text" in ours && ours.text === "") ||
        ("text" in theirs && theirs.text === "");
      const shape = { ...wanted, isEnded };
      const name = `${++round}.txt`;
      const path = scratch.path("work", name);
      const base = texts.map((text, id) => ({ id, text }));
      const start = render(base, shape);
      await writeFile(path, start);
      const env = { HOME: scratch.path("home") };
      await using workspace = new Workspace({ cwd: scratch.path("work"), env });
      const { tag } = workspace.files.snapshots.record(path, start);

      const othersLines = when === "never" ? base : perform(base, base, theirs, 1000)!;
      const others = render(othersLines, shape);
      let isDue = when !== "never";
      const interfere = async (): Promise<void> => {
        if (isDue) await writeFile(path, others);
        isDue = false;
      };
      const storage: Storage = {
        ...disk,
        async replace(...call) {
          if (when === "journal") await interfere();
          return disk.replace(...call);
        },
        async createExclusive(...call) {
          if (when === "staging") await interfere();
          return disk.createExclusive(...call);
        },
      };
      if (when === "before") await interfere();
      const input = patchFor(`¶${name}#${tag}`, ours, base.length);
      const done = await applyEdit({ mode: "hashline", input }, workspace, { storage });
      const found = await readFile(path, "utf8");
      if (done.kind === "refused") {
        seen.refused += 1;
        // An edit that changes nothing is refused before the other one gets a chance.
        expect(found).toBe(isDue ? start : others);
        const code = done.failures[0]!.code;
        const isNothing = ours.kind === "replace" && ours.text === texts[ours.at % texts.length];
        if (when === "never" || others === start)
          expect([code, isNothing]).toEqual(["no_change", true]);
        return;
      }
      seen[when === "never" ? "exact" : "merged"] += 1;
      const merged = perform(othersLines, base, ours, 2000);
      expect(found).toBe(render(merged ?? [], shape));
      expect(done.kind === "applied" && done.changes[0]!.after).toBe(found);
    },
  );
  await fc.assert(law, { numRuns: 250 });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  const names = await readdir(scratch.path("work"));
  expect(names.filter((name) => !/^\d+\.txt$/.test(name))).toEqual([]);
}, 60_000);

test("a writer who never rests is given way to, and told of", async () => {
  await using scratch = await createScratchDirectory();
  const path = await scratch.write("work/a.txt", "a\nb\nc\nd\n");
  const env = { HOME: scratch.path("home") };
  await using workspace = new Workspace({ cwd: scratch.path("work"), env });
  const { tag } = workspace.files.snapshots.record(path, "a\nb\nc\nd\n");
  let writes = 0;
  const storage: Storage = {
    ...disk,
    async createExclusive(...given) {
      await writeFile(path, `a\nb\nc\nd\n${++writes}\n`);
      return disk.createExclusive(...given);
    },
  };
  const request = { mode: "hashline" as const, input: `¶a.txt#${tag}\nreplace 1:\n+A\n` };
  const problem: unknown = await applyEdit(request, workspace, { storage }).catch((error) => error);
  expect(problem).toBeInstanceOf(FileProblem);
  expect((problem as FileProblem).code).toBe("changed");
  expect(await scratch.read("work/a.txt")).toBe(`a\nb\nc\nd\n${writes}\n`);
});
