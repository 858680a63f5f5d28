// A start that does not survive its extensions must not be the last one that anybody sees. While they are
// loaded, a note says so; whoever finds the note of a process that is gone leaves them out, once.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signalSelf } from "@tau/tui/terminal/own-exit";

const DIRECTORY = "extensions-starting";
/** Notes of processes on other machines that share the directory cannot be judged; old ones are nobody's. */
const STALE_MS = 24 * 60 * 60 * 1000;

const BY_HAND = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Note {
  pid: number;
  at: number;
  names: string[];
}

/** The names that were being loaded when a process ended; undefined if none did. The note is gone then. */
export function takeCrashNote(agentDirectory: string): string[] | undefined {
  const directory = join(agentDirectory, DIRECTORY);
  let found: string[];
  try {
    found = readdirSync(directory);
  } catch {
    // Hardly anybody has the directory.
    return undefined;
  }
  const names = new Set<string>();
  for (const file of found) {
    const path = join(directory, file);
    const note = readNote(path);
    if (note && isAlive(note.pid)) continue;
    rmSync(path, { force: true });
    if (note && Date.now() - note.at < STALE_MS) note.names.forEach((name) => names.add(name));
  }
  return names.size > 0 ? [...names] : undefined;
}

/** Returns what is called once they have been loaded and the session is there, or could not be opened. */
export function noteStart(agentDirectory: string, names: readonly string[]): () => void {
  const directory = join(agentDirectory, DIRECTORY);
  const path = join(directory, `${process.pid}.json`);
  const note: Note = { pid: process.pid, at: Date.now(), names: [...names] };
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // A directory that cannot be written: then the next start knows nothing of this one.
    return () => {};
  }
  const remove = (): void => rmSync(path, { force: true });
  // Whoever ends it by hand has not seen it crash. The signal does what it would have done.
  const onSignal = (signal: NodeJS.Signals): void => {
    settled();
    if (process.listenerCount(signal) === 0) signalSelf(signal);
  };
  const settled = (): void => {
    remove();
    for (const signal of BY_HAND) process.off(signal, onSignal);
  };
  for (const signal of BY_HAND) process.on(signal, onSignal);
  return settled;
}

function readNote(path: string): Note | undefined {
  try {
    const { pid, at, names } = JSON.parse(readFileSync(path, "utf8")) as Partial<Note>;
    if (typeof pid !== "number" || typeof at !== "number" || !Array.isArray(names))
      return undefined;
    return { pid, at, names: names.map(String) };
  } catch {
    // Cut off while it was written, or somebody else's file.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
