// Whether something can stand in a log: an entry of a kind that Tau writes, with what readers of that
// kind rely on, and plain data throughout. For entries of code that no compiler has seen.

import {
  array,
  looseObject,
  nullable,
  number,
  picklist,
  safeParse,
  string,
  type GenericSchema,
} from "valibot";
import type { SessionEntry } from "./entry.ts";

const BLOCKS = array(looseObject({ type: string() }));
const MESSAGE = looseObject({
  role: picklist(["user", "developer", "assistant", "toolResult"]),
  content: BLOCKS,
});

const SHAPES: Readonly<Record<SessionEntry["type"], GenericSchema>> = {
  message: looseObject({ message: MESSAGE }),
  custom_message: looseObject({ customType: string(), content: BLOCKS }),
  compaction: looseObject({
    summary: string(),
    firstKeptEntryId: string(),
    tokensBefore: number(),
    tokensAfter: number(),
  }),
  branch_summary: looseObject({ fromId: string(), summary: string() }),
  leaf: looseObject({ leafId: nullable(string()), reason: string() }),
  title: looseObject({ title: string(), source: picklist(["user", "auto"]) }),
  prune: looseObject({ entryIds: array(string()), tokensSaved: number() }),
  label: looseObject({ targetId: string() }),
  model_change: looseObject({ model: string(), role: string() }),
  thinking_level_change: looseObject({ thinkingLevel: string() }),
  custom: looseObject({ customType: string() }),
  ttsr_injection: looseObject({ injectedRules: array(string()) }),
  mail: looseObject({
    mailId: string(),
    state: picklist(["queued", "delivered", "withdrawn"]),
  }),
  model_call: looseObject({ purpose: string(), model: string() }),
  event: looseObject({ event: looseObject({ type: string() }) }),
};

/** What is wrong with the first that is not sound; undefined if all are. */
export function entryProblem(entries: unknown): string | undefined {
  if (!Array.isArray(entries)) return "entries are a list";
  for (const entry of entries) {
    const problem = problemOf(entry) ?? dataProblem(entry);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(entry: unknown): string | undefined {
  const type: unknown = (entry as { type?: unknown } | null | undefined)?.type;
  if (typeof type !== "string") return "an entry has a type";
  if (!Object.hasOwn(SHAPES, type)) return `there is no kind of entry called ${type}`;
  const checked = safeParse(SHAPES[type as SessionEntry["type"]], entry);
  if (checked.success) return undefined;
  const [issue] = checked.issues;
  const path = issue.path?.map(({ key }) => String(key)).join(".") ?? "it";
  return `in an entry of type ${type}, ${path} does not fit (${issue.message})`;
}

/** Why it cannot be written: a circle, a BigInt. Undefined if it can. */
export function dataProblem(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
