// The place to type the next prompt. While it is open something may begin to run by itself, because a job
// has ended: then it makes way, and what was typed so far stands there again afterwards.

import { userText, type UserMessage } from "@tau/ai/message";
import type { ActiveSession } from "../../assembly/active-session.ts";
import type { Style } from "../../base/style.ts";
import type { Keyboard } from "./keyboard.ts";
import { LineReader } from "./line-reader.ts";
import type { Paper } from "./paper.ts";
import type { Stopping } from "./stopping.ts";
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
  stopping: Stopping;
  style: Style;
  typeAhead: TypeAhead;
  /** The last one first; it grows. */
  history: string[];
  /** Somebody has to ask something first. */
  makeWay: Set<() => void>;
}

/**
 * `running`: something runs by itself, and is to be watched first. `asked`: a question of an agent's comes
 * first. Undefined: the person leaves.
 */
export type PromptOutcome = UserMessage | "running" | "asked" | undefined;

export async function askPrompt(place: PromptPlace): Promise<PromptOutcome> {
  const { active, keyboard, stopping, style, typeAhead } = place;
  if (stopping.leaving.aborted) return undefined;
  if (active.session.isBusy) return "running";
  const line = typeAhead.takeLine();
  if (line !== undefined) {
    process.stdout.write(`${style.accent("›")} ${line}\n`);
    return userText(line);
  }
  return keyboard.isOver ? undefined : readPrompt(place);
}

/** A reader per prompt: between prompts the terminal is in its own mode and Ctrl-C a signal. */
async function readPrompt(place: PromptPlace): Promise<PromptOutcome> {
  const { active, history, makeWay, keyboard, paper, stopping, style, typeAhead } = place;
  const { promise, resolve } = Promise.withResolvers<PromptOutcome>();
  const giveWay = (): void => resolve("asked");
  makeWay.add(giveWay);
  const leave = (): void => resolve(undefined);
  const since = performance.now();
  using reader = new LineReader({
    prompt: `${style.accent("›")} `,
    history,
    heard: {
      line(line, rest) {
        // Of what is pasted, the first line is the prompt and the rest waits.
        typeAhead.add(rest);
        if (rest.endsWith(END)) keyboard.end();
        if (line.trim() !== "" && line !== history[0]) {
          history.splice(0, history.length, line, ...history.slice(0, HISTORY_LINES - 1));
        }
        resolve(userText(line));
      },
      interrupt() {
        if (stopping.press() === "second") return leave();
        if (reader.line !== "") return reader.set("");
        paper.write(`${style.dim("Ctrl-C again leaves.")}\n`);
      },
      end: leave,
    },
  });
  const onData = (bytes: Uint8Array | string): void => {
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    const wasBefore = performance.now() - since < TYPED_BEFORE_MS;
    if (text === STALE_END && wasBefore && reader.line === "") leave();
  };
  const stopListening = active.subscribe(({ type }) => {
    if (type === "agent_start" || type === "auto_compaction_start") resolve("running");
  });
  process.stdin.on("data", onData);
  stopping.leaving.addEventListener("abort", leave, { once: true });
  const begun = typeAhead.takeRest();
  if (begun !== "") reader.set(begun);
  paper.below(reader);
  const outcome = await promise;
  makeWay.delete(giveWay);
  stopListening();
  process.stdin.off("data", onData);
  stopping.leaving.removeEventListener("abort", leave);
  paper.below(undefined);
  if (outcome === "running" || outcome === "asked") {
    typeAhead.add(reader.line);
    process.stdout.write("\r\x1b[K");
  }
  return outcome;
}
