// What the model is told of a repository, from what git prints.

import { expect, test } from "bun:test";
import { repositoryWords } from "./repository-words.ts";

const HASH = "0".repeat(40);

test("branch, distance, changed files and last commits", () => {
  const status = [
    `# branch.oid ${HASH}`,
    "# branch.head feature/x",
    "# branch.upstream origin/main",
    "# branch.ab +2 -1",
    `1 .M N... 100644 100644 100644 ${HASH} ${HASH} src/a b.ts`,
    `2 R. N... 100644 100644 100644 ${HASH} ${HASH} R100 new.ts\told.ts`,
    "? notes.txt",
    "",
  ].join("\n");
  expect(repositoryWords({ status, log: "abc1234 Fix it\ndef5678 Begin\n" })).toBe(
    [
      "The repository as the session begins, in git's words (not kept up to date):",
      "Branch feature/x, 2 ahead and 1 behind of origin/main; changed files:",
      " M src/a b.ts",
      "R  new.ts",
      "?? notes.txt",
      "Last commits:",
      "abc1234 Fix it",
      "def5678 Begin",
    ].join("\n"),
  );
});

test("long lists and long words are cut, signs that would not show are made visible", () => {
  const files = Array.from({ length: 40 }, (_, at) => `? f${at}.txt`);
  const text = repositoryWords({
    status: ["# branch.head main", ...files].join("\n"),
    log: `abc ${"x".repeat(300)}\nabc \u001b[31mred`,
  });
  expect(text).toContain("… 28 more");
  expect(text.split("\n").every((row) => row.length <= 82)).toBe(true);
  expect(text).not.toContain("\u001b");
});
