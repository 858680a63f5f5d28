// The place to type the next prompt. While it is open something may begin to run by itself, because a job
// has ended: then it makes way, and what was typed so far stands there again afterwards.

import { createInterface } from "node:readline";
import { userText, type UserMessage } from "@tau/ai/message";
import type { ActiveSession } from "../../assembly/active-session.ts";
import type { Style } from "../../base/style.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Paper } from "./paper.ts";
import type { TypeAhead } from "./type-ahead.ts";

export const HISTORY_LINES = 200;
/** What is read so soon after the prompt is there was typed before it. */
const TYPED_BEFORE_MS = 100;
const END = "\u0004";
/** What Linux makes of a Ctrl-D that was not read before the terminal's mode changed. */
const STALE_END = "\u0000";

export interface PromptPlace {
  active: ActiveSession;
  keyboard: Keyboard;
  paper: Paper;
  style: Style;
  typeAhead: TypeAhead;
  /** The last one first; it grows. */
  history: string[];
}

/** `running`: something runs by itself, and is to be watched first. Undefined: the person leaves. */
export async function askPrompt(place: PromptPlace): Promise<UserMessage | "running" | undefined> {
  const { active, keyboard, style, typeAhead } = place;
  if (keyboard.leaving.aborted) return undefined;
  if (active.session.isBusy) return "running";
  const line = typeAhead.takeLine();
  if (line !== undefined) {
    process.stdout.write(`${style.accent("›")} ${line}\n`);
    return userText(line);
  }
  return keyboard.isOver ? undefined : readPrompt(place);
}

/** A reader per prompt: between prompts the terminal is in its own mode and Ctrl-C a signal. */
function readPrompt(place: PromptPlace): Promise<UserMessage | "running" | undefined> {
  const { active, history, keyboard, paper, style, typeAhead } = place;
  const { promise, resolve } = Promise.withResolvers<UserMessage | "running" | undefined>();
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: true,
    history,
    historySize: HISTORY_LINES,
    prompt: `${style.accent("›")} `,
  });
  let outcome: UserMessage | "running" | undefined;
  const close = (): void => reader.close();
  const stopListening = active.subscribe(({ type }) => {
    if (type !== "agent_start" && type !== "auto_compaction_start") return;
    outcome ??= "running";
    process.stdout.write("\r\x1b[K");
    close();
  });
  const since = performance.now();
  const onData = (bytes: Uint8Array | string): void => {
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    // Right after a line; the reader has no more ears for it.
    if (outcome && text.endsWith(END)) keyboard.end();
    const wasBefore = performance.now() - since < TYPED_BEFORE_MS;
    const isEmpty = reader.line.replaceAll(STALE_END, "") === "";
    if (text === STALE_END && wasBefore && isEmpty) close();
  };
  process.stdin.on("data", onData);
  keyboard.leaving.addEventListener("abort", close, { once: true });
  reader.on("history", (lines: string[]) => {
    history.splice(0, history.length, ...lines);
  });
  reader.on("line", (line) => {
    // Of what is pasted, the first line is the prompt and the rest waits.
    if (outcome) return typeAhead.add(`${line}\n`);
    outcome = userText(line);
    queueMicrotask(close);
  });
  // Ctrl-C on a line that has something clears it; on an empty one it leaves.
  reader.on("SIGINT", () => {
    if (reader.line === "") close();
    else {
      reader.write(null, { ctrl: true, name: "e" });
      reader.write(null, { ctrl: true, name: "u" });
    }
  });
  reader.once("close", () => {
    stopListening();
    process.stdin.off("data", onData);
    keyboard.leaving.removeEventListener("abort", close);
    paper.below(undefined);
    if (outcome && reader.line !== "") {
      typeAhead.add(reader.line);
      process.stdout.write("\r\x1b[K");
    }
    resolve(outcome);
  });
  reader.prompt();
  const begun = typeAhead.takeRest();
  if (begun !== "") reader.write(begun);
  paper.below(reader);
  return promise;
}
