// What is done on that day: sixty questions to the project, each with the fact that answers it and
// the calls by which a model would look for it, one after the other until the fact is seen.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenResults } from "../seen-results.ts";

/** Shorter lines are brackets. */
const TELLING_CHARS = 12;
/** The beginning of a line tells which it is. */
const FACT_CHARS = 60;

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Step {
  fact: string;
  tries: readonly ((seen: SeenResults) => Call)[];
}

export function workingDay(project: string): Step[] {
  /** The first line from there on that is like no other. */
  const lineOf = (path: string, number: number): string =>
    readFileSync(join(project, path), "utf8")
      .split("\n")
      .slice(number - 1)
      .map((line) => line.trim().slice(0, FACT_CHARS))
      .find((line) => line.length >= TELLING_CHARS)!;

  /** Something in a body is needed: a summary alone does not have it. */
  const reads = (path: string, line: number): Step => ({
    fact: lineOf(path, line),
    tries: [
      () => call("read", { path }),
      () => call("read", { path: `${path}:${Math.max(1, line - 30)}-${line + 30}` }),
    ],
  });
  const edits = (path: string, line: number, words: string): Step[] => [
    reads(path, line),
    {
      fact: words,
      tries: [
        (seen) =>
          call("edit", {
            input: `¶${path}#${seen.tagOf(path)}\ninsert after ${line}:\n+// ${words}\n`,
          }),
      ],
    },
  ];
  /** The fact is in what is kept; if it is not shown, the kept whole is searched. */
  const runs = (command: string, fact: string): Step => ({
    fact,
    tries: [
      () => call("bash", { command }),
      (seen) => call("search", { pattern: escaped(fact), paths: seen.artifact() }),
    ],
  });
  const finds = (pattern: string, paths: string, fact: string): Step => ({
    fact,
    tries: [
      () => call("search", { pattern, paths }),
      () => call("search", { pattern, paths, skip: 20 }),
      () => call("search", { pattern: escaped(fact), paths }),
    ],
  });

  const ai = "packages/ai/src";
  const agent = "packages/agent/src";
  const hash = "packages/hashline/src";
  return [
    { fact: "packages/", tries: [() => call("read", { path: "." })] },
    runs("git log --oneline | head -5", "Begin"),
    runs("cat package.json", "workspaces"),
    finds("decideRecovery", "packages", `${ai}/failure-policy.ts`),
    ...edits(`${ai}/failure-policy.ts`, 75, "waits are bounded elsewhere"),
    runs("git diff", "waits are bounded elsewhere"),
    finds("retryable", ai, "retryable: boolean"),
    reads(`${ai}/error.ts`, 40),
    reads(`${ai}/wires/openai-completions/decode-stream.ts`, 140),
    runs("bash suite.sh", "2499 passed, 1 failed"),
    runs("bash suite.sh | cat", "expected 41, got 42"),
    ...edits(`${agent}/loop.ts`, 160, "the loop ends here"),
    finds("import type", agent, "judge-call.ts"),
    reads(`${agent}/tool-table.ts`, 150),
    reads(`${agent}/run-calls.ts`, 60),
    runs(`wc -l ${agent}/*.ts | tail -1`, "total"),
    finds("export function", ai, "providers.ts"),
    reads(`${ai}/providers/makers.ts`, 120),
    { fact: "capability-rules.ts", tries: [() => call("find", { paths: [`${ai}/catalog`] })] },
    ...edits(`${ai}/catalog/capability-rules.ts`, 130, "newest families first"),
    runs("git diff --stat", "3 files changed"),
    runs("cat server.log", "request 3491 took"),
    finds("ERROR", "server.log", "request 1497"),
    runs("tail -50 server.log", "request 5999"),
    runs("cat orders.csv | grep open | wc -l", "231"),
    reads("orders.csv", 200),
    runs(
      "awk -F, '{s[$2]+=$3} END {for (c in s) print c, s[c]}' orders.csv | sort",
      "customer-99 ",
    ),
    reads(`${hash}/apply-hunks.ts`, 60),
    reads(`${hash}/plan-edits.ts`, 100),
    finds("LineIndex", hash, "line-index.ts"),
    ...edits(`${hash}/align-lines.ts`, 40, "equal lines first"),
    runs("ls -la packages/ai/src packages/ai/src/*", "reply-assembler.ts"),
    runs("find packages -name '*.test.ts'", "loop-laws.test.ts"),
    {
      fact: "f450(a,b)",
      tries: [() => call("search", { pattern: "f450\\(", paths: "bundle.min.js" })],
    },
    runs("bash suite.sh quiet", "2499 passed"),
    reads("docs/settings.md", 100),
    reads("docs/rpc.md", 80),
    finds("compaction", "docs", "settings.md"),
    reads(`${ai}/reply-assembler.ts`, 180),
    ...edits(`${ai}/reply-assembler.ts`, 100, "pieces arrive in order"),
    finds("ToolError", agent, "tool.ts"),
    reads(`${ai}/dialects/anthropic.ts`, 120),
    reads(`${ai}/dialects/python-literal.ts`, 150),
    finds("Record<string", ai, "repair.ts"),
    runs("git diff HEAD", "pieces arrive in order"),
    runs(`head -c 3000 ${ai}/repair.ts`, "repair"),
    reads(`${ai}/repair.ts`, 90),
    reads(`${ai}/wires/anthropic-messages/decode-stream.ts`, 150),
    runs("git log -p | head -400", "Begin"),
    finds("test\\(", `${agent}/loop.test.ts`, "test("),
    reads(`${agent}/hook-calls.ts`, 150),
    runs("sort -t, -k3 -n -r orders.csv | head -20", "999"),
    runs("bash suite.sh | tail -3", "2499 passed"),
    reads(`${ai}/oauth/logins.ts`, 60),
    runs("git add -A && git commit -qm 'Say why' && git show --stat HEAD", "5 files changed"),
  ];
}

function call(name: string, args: Record<string, unknown>): Call {
  return { name, arguments: args };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
