// What a list tells of a session, from a bounded look at its file: the beginning has the
// header and the first words, the end has the latest title and how it was left. However
// large a file is, this reads the same.

import { open, type FileHandle } from "node:fs/promises";
import { textOf, type Message } from "@tau/ai/message";
import { fitLine } from "@tau/tui/width";
import { decodeLine, isRecord, parseObject } from "../log/line.ts";

const PREFIX_BYTES = 4 * 1024;
const TAIL_BYTES = 32 * 1024;
/** Where a title is looked for if neither has one: it was given some long answers ago. */
const MIDDLE_BYTES = 1024 * 1024;
/** How an entry of a title begins, and more than it is long. */
const TITLE_LINE = '{"type":"title"';
const TITLE_LINE_BYTES = 4 * 1024;
const NAME_COLUMNS = 60;
/** What the widest list shows of a prompt. */
const PROMPT_COLUMNS = 200;

/** How a session was left. */
export type SessionStatus =
  /** The model has answered. */
  | "answered"
  /** A prompt or tool result is the last word: the run was interrupted. */
  | "open"
  /** Nothing was said to the model, but there is something to come back to: a todo list, own commands. */
  | "begun"
  /** Nothing is in it but what Tau itself put there, or answered. */
  | "empty";

export interface SessionInfo {
  path: string;
  id: string;
  cwd: string;
  /** Given, or made from the first words. */
  name: string;
  isNamed: boolean;
  /** The beginning of what was asked first, on one line; absent where nothing was. */
  firstPrompt?: string;
  /** Lines of its log after the header; absent where there is none that says its number. */
  entries?: number;
  status: SessionStatus;
  createdAt: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  bytes: number;
  parentSession?: string;
}

/** Undefined where the file is no session; it may be anything that lies there. */
export async function readSessionInfo(path: string): Promise<SessionInfo | undefined> {
  await using file = await open(path, "r");
  const { size, mtimeMs } = await file.stat();
  const head = await readSlice(file, 0, Math.min(PREFIX_BYTES, size));
  const first = parseLine(linesOf(head)[0] ?? new Uint8Array());
  if (!first || first.type !== "session" || typeof first.id !== "string") return undefined;
  const start = Math.max(0, size - TAIL_BYTES);
  const tail =
    start === 0 && head.length === size ? head : await readSlice(file, start, size - start);
  // A tail that begins inside a line has half a line first.
  const ends = linesOf(tail).slice(start === 0 ? 0 : 1);
  const early = linesOf(head).slice(1).map(parseLine);
  const late = ends.map(parseLine);
  const title =
    latestTitle(late) ??
    (await titleBefore(file, start, head.length)) ??
    latestTitle(early) ??
    text(first.title);
  const words = firstWords(early) ?? firstWordsIn(head);
  const name = title ?? words ?? firstCommand(early) ?? first.id;
  const entries = numberOfLast(ends);
  return {
    path,
    id: first.id,
    cwd: text(first.cwd) ?? "",
    name: shorten(name, NAME_COLUMNS),
    isNamed: title !== undefined,
    firstPrompt: words === undefined ? undefined : shorten(words, PROMPT_COLUMNS),
    entries,
    status: statusOf([...early, ...late], words),
    createdAt: Date.parse(text(first.timestamp) ?? "") || mtimeMs,
    modifiedAt: mtimeMs,
    bytes: size,
    parentSession: typeof first.parentSession === "string" ? first.parentSession : undefined,
  };
}

/** The last title between the beginning and the end, as far back as is looked. */
async function titleBefore(
  file: FileHandle,
  end: number,
  begin: number,
): Promise<string | undefined> {
  const from = Math.max(begin, end - MIDDLE_BYTES);
  if (from >= end) return undefined;
  // A line may go on into the end that was read already.
  const middle = Buffer.from(await readSlice(file, from, end - from + TITLE_LINE_BYTES));
  for (let to = middle.length; to > 0;) {
    const at = middle.lastIndexOf(TITLE_LINE, to - 1);
    if (at < 0) return undefined;
    const stop = middle.indexOf(0x0a, at);
    const isWhole = (from + at === 0 || middle[at - 1] === 0x0a) && stop > 0;
    const found = isWhole ? latestTitle([parseLine(middle.subarray(at, stop))]) : undefined;
    if (found !== undefined) return found;
    to = at;
  }
  return undefined;
}

async function readSlice(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, start);
  return buffer.subarray(0, bytesRead);
}

/** Whole lines, and at the end what may be the beginning of one. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let to = bytes.indexOf(0x0a); to >= 0; to = bytes.indexOf(0x0a, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

/** Older formats have no checksum; a list may show what it cannot vouch for. */
function parseLine(line: Uint8Array): Record<string, unknown> | undefined {
  return decodeLine(line)?.value ?? parseObject(new TextDecoder().decode(line));
}

/** Without the header. A torn line at the end does not count. */
function numberOfLast(lines: readonly Uint8Array[]): number | undefined {
  for (const line of lines.toReversed()) {
    const place = decodeLine(line)?.place;
    if (place) return Math.max(0, place.n - 1);
  }
  return undefined;
}

type Parsed = Record<string, unknown> | undefined;

function latestTitle(entries: readonly Parsed[]): string | undefined {
  const entry = entries.findLast((candidate) => candidate?.type === "title");
  return text(entry?.title);
}

function firstWords(entries: readonly Parsed[]): string | undefined {
  for (const entry of entries) {
    const message = isRecord(entry?.message) ? entry.message : undefined;
    if (message?.role !== "user") continue;
    const { content } = message;
    if (typeof content === "string") return content;
    if (Array.isArray(content)) return textOf(message as unknown as Message);
  }
  return undefined;
}

/** A first message longer than the prefix: its words are there all the same. */
function firstWordsIn(head: Uint8Array): string | undefined {
  const found = /"role":"user".*?"text":"((?:[^"\\]|\\.)*)/s.exec(
    new TextDecoder().decode(head),
  )?.[1];
  if (found === undefined) return undefined;
  return text(parseObject(`{"words":"${found.replace(/\\u?[0-9a-f]{0,3}$/i, "")}"}`)?.words);
}

/** If nothing was said to the model, what Tau was told to do. */
function firstCommand(entries: readonly Parsed[]): string | undefined {
  for (const entry of entries) {
    const event = isRecord(entry?.event) ? entry.event : undefined;
    if (event?.type === "command_start" && text(event.line)) return text(event.line);
  }
  return undefined;
}

/** What somebody would miss: what features keep, and messages that wait. */
const KEPT_TYPES: ReadonlySet<unknown> = new Set(["custom", "custom_message", "mail"]);

function isWorthKeeping(entry: Parsed): boolean {
  const event = isRecord(entry?.event) ? entry.event : undefined;
  return KEPT_TYPES.has(entry?.type) || event?.type === "own_run_end";
}

/** `entries`: those that were looked at; a first message that is too long for that has its words alone. */
function statusOf(entries: readonly Parsed[], words: string | undefined): SessionStatus {
  const last = entries.findLast((entry) => entry?.type === "message");
  if (!last && words === undefined) return entries.some(isWorthKeeping) ? "begun" : "empty";
  if (!last) return "open";
  const message = isRecord(last.message) ? last.message : {};
  const done = message.role === "assistant" && message.stopReason !== "toolUse";
  return done ? "answered" : "open";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** One line, without anything that a terminal would obey. */
function shorten(name: string, columns: number): string {
  return fitLine(Bun.stripANSI(name).replace(/\s+/g, " ").trim(), columns);
}
