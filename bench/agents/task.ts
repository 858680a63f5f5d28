// A task for an agent: a small project, what is asked, a grader that runs code, and a solution
// through Tau's tools, which proves that the task can be solved by them and says what that costs.

import type { ScriptedCall } from "@tau/testkit/script";
import type { SeenResults } from "../seen-results.ts";

export interface AgentTask {
  name: string;
  kind: "bug" | "refactoring" | "test" | "data";
  /** What the user says. */
  prompt: string;
  files: Readonly<Record<string, string>>;
  /** Runs in the project before it begins, and is not part of what is asked: history, databases. */
  setUp?: string;
  solve: readonly Turn[];
  grade: Grade;
}

/** What the scripted model does in one turn. */
export type Turn = (seen: SeenResults) => ScriptedCall[] | string;

export interface Grade {
  /** Put into the project only now: checks that the agent has not seen. */
  files?: Readonly<Record<string, string>>;
  /** Ends with 0 if the work is right. */
  command?: string;
  /** What the answer must say. */
  answer?: RegExp;
  /** What the answer must not say. */
  notAnswer?: RegExp;
}

export const read =
  (...paths: string[]): Turn =>
  () =>
    paths.map((path) => ({ name: "read", arguments: { path } }));

export const search =
  (pattern: string, paths = "."): Turn =>
  () => [{ name: "search", arguments: { pattern, paths } }];

export const sh =
  (command: string): Turn =>
  () => [{ name: "bash", arguments: { command } }];

export const write =
  (path: string, content: string): Turn =>
  () => [{ name: "write", arguments: { path, content } }];

/** Hunks by file, in one patch. */
export const edit =
  (hunks: Readonly<Record<string, string>>): Turn =>
  (seen) => {
    const sections = Object.entries(hunks).map(
      ([path, text]) => `¶${path}#${seen.tagOf(path)}\n${text.trim()}\n`,
    );
    return [{ name: "edit", arguments: { input: sections.join("") } }];
  };

export const say =
  (text: string): Turn =>
  () =>
    text;
