// What an intent is made of. A plan is a generator: it yields the tool call it wants
// next, receives the outcome, and returns its answer. It is replayed from the start on
// every request against the results in the conversation, so it keeps no state of its
// own, and resume, retry and rewind come for free. A plan must therefore be a pure
// function of the user's text and the outcomes.

import { clip, inlineCode, plainText, prose } from "./markdown.ts";
import type { Utterance } from "./utterance.ts";

export type DemoTool = "read" | "bash" | "edit";

export interface ToolUse {
  tool: DemoTool;
  arguments: Record<string, unknown>;
  /** One line shown before the call. */
  say?: string;
}

export type Outcome =
  | { ok: true; text: string }
  /** `absent`: the tool is not offered in this session, so nothing was called. */
  | { ok: false; text: string; absent: boolean };

export type Plan = Generator<ToolUse, string, Outcome>;

export interface Intent {
  /** What the user gets, as it stands in the list of abilities. */
  title: string;
  example: string;
  /** Words that point to this intent even where the request lacks something it needs. */
  hint: RegExp;
  match(utterance: Utterance): Plan | undefined;
}

/** As much as the tool gives: a summary is of no use to whoever explains the text. */
const ALL_LINES = 3000;

export function readFile(path: string, options: { lines?: number } = {}): ToolUse {
  return { tool: "read", arguments: { path: `${path}:1-${options.lines ?? ALL_LINES}` } };
}

export function readDirectory(path: string, options: { say?: string } = {}): ToolUse {
  return { tool: "read", arguments: { path }, ...options };
}

export function bash(command: string, options: { say?: string } = {}): ToolUse {
  return { tool: "bash", arguments: { command }, ...options };
}

/** Looking takes a moment; what takes longer waits for something that will not come. */
const LOOK_TIMEOUT_S = 10;

/** A command of the demo's own that only looks. */
export function inspect(command: string): ToolUse {
  return { tool: "bash", arguments: { command, timeout: LOOK_TIMEOUT_S } };
}

// A tool explains itself in its first line, or under a command's output in a last line in
// brackets; the user has seen the rest.
const REASON_CHARACTERS = 160;

/** One sentence on what failed, and one on what to do about it. */
export function failed(
  outcome: Outcome & { ok: false },
  attempt: { tool: DemoTool; doing: string; next: string },
): string {
  if (outcome.absent) {
    return prose(
      `I cannot ${attempt.doing}: that needs the ${inlineCode(attempt.tool)} tool, which is not ` +
        `available in this session. Start Tau with that tool allowed and ask again.`,
    );
  }
  const lines = plainText(outcome.text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const ending = /^\[(.+)\]$/.exec(lines.at(-1)?.trim() ?? "")?.[1];
  const reason = clip((ending ?? lines[0] ?? "no reason was given").trim(), REASON_CHARACTERS);
  return prose(`I could not ${attempt.doing}: ${reason.replace(/[.\s]+$/, "")}. ${attempt.next}`);
}
