import { expect, test } from "bun:test";
import { findCommand } from "../command-table.ts";
import { TREE_FILTERS } from "../../session/operations/tree-filter.ts";
import { SESSION_VERBS } from "./sessions-arguments.ts";

test("help and completions name the verbs, flags and filters that there are", () => {
  const row = findCommand("sessions")!;
  expect(row.choices).toEqual(Object.keys(SESSION_VERBS));
  const taken = new Set(
    Object.values(SESSION_VERBS).flatMap(({ flags }) => flags as readonly string[]),
  );
  expect(row.flags.map(({ name }) => name).sort()).toEqual([...taken].sort());
  expect(row.flags.find(({ name }) => name === "filter")?.choices).toEqual(TREE_FILTERS);
});
