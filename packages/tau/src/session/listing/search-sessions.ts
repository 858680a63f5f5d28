// Looks for words in what was said in sessions. It reads their files piece by piece and lets
// others have their turn in between, so that it can go on behind a list that somebody types
// into; the newest sessions are looked at first, and it ends at once when it is told to.

import type { Storage } from "@tau/host/storage";
import { oneLine } from "@tau/tui/width";
import { pathSource } from "../log/byte-source.ts";
import { linesForward } from "../log/read-lines.ts";
import { wordsOfLine } from "./entry-words.ts";
import type { SessionInfo } from "./session-info.ts";

/** Pictures are kept elsewhere: a longer line is a tool's output that nobody searches for. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Of one session; the newest part of a longer one is looked at. */
const MAX_SESSION_BYTES = 64 * 1024 * 1024;
/** More than anybody reads through. */
const MAX_HITS = 200;
/** Before and after the first word that was found. */
const CONTEXT_CHARACTERS = 60;
/** A key must be answered within a frame; searching may have a part of it. */
const TURN_MS = 6;

export interface SessionHit {
  session: SessionInfo;
  /** On one line, around the first of the words. */
  excerpt: string;
}

export interface SearchSessionsOptions {
  storage: Storage;
  signal: AbortSignal;
  onHit(hit: SessionHit): void;
  /** After each session: how many were looked at. */
  onProgress?(done: number): void;
}

/** All words must be in one entry, in any order and case. Resolves early where it is aborted. */
export async function searchSessions(
  sessions: readonly SessionInfo[],
  query: string,
  { storage, signal, onHit, onProgress }: SearchSessionsOptions,
): Promise<void> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return;
  const turn = new Turn();
  let hits = 0;
  for (const [index, session] of sessions.entries()) {
    if (signal.aborted || hits >= MAX_HITS) return;
    const excerpt = await findIn(session, words, { storage, signal, turn });
    if (signal.aborted) return;
    if (excerpt !== undefined) {
      hits += 1;
      onHit({ session, excerpt });
    }
    onProgress?.(index + 1);
  }
}

async function findIn(
  { path, bytes }: SessionInfo,
  words: readonly string[],
  { storage, signal, turn }: { storage: Storage; signal: AbortSignal; turn: Turn },
): Promise<string | undefined> {
  // In the file, quotes and backslashes of a text have a backslash before them.
  const written = words.map((word) => JSON.stringify(word).slice(1, -1));
  const from = Math.max(0, bytes - MAX_SESSION_BYTES);
  try {
    for await (const line of linesForward(pathSource(storage, path), from, bytes)) {
      if (signal.aborted) return undefined;
      if (turn.isOver) await turn.next();
      if (!line.bytes || line.bytes.length > MAX_LINE_BYTES) continue;
      const raw = Buffer.from(line.bytes).toString("utf8").toLowerCase();
      if (!written.every((word) => raw.includes(word))) continue;
      // The words may be names of the format's own fields; what was said decides.
      const text = wordsOfLine(line.bytes)?.text;
      const lower = text?.toLowerCase();
      if (text === undefined || !words.every((word) => lower!.includes(word))) continue;
      return excerptOf(text, lower!.indexOf(words[0]!));
    }
  } catch (error) {
    // A session that was deleted or may not be read has nothing to find.
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
  }
  return undefined;
}

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - CONTEXT_CHARACTERS);
  const cut = text.slice(from, at + CONTEXT_CHARACTERS);
  return `${from > 0 ? "…" : ""}${oneLine(cut).trim()}`;
}

/** A stretch of work after which others get theirs. */
class Turn {
  #until = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#until = performance.now() + TURN_MS;
  }
}
