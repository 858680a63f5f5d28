// What extensions write into their log: a file that people look at when something is odd, and that never
// grows beyond two of its size.

import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { agentDirectory } from "../../config/places.ts";

/** More than anybody reads; then the file before it is dropped, and it takes that one's place. */
const MAX_LOG_BYTES = 1024 * 1024;
/** Of one line: an object that somebody logs may be anything. */
const MAX_LINE_CHARS = 10_000;

let writing: Promise<void> = Promise.resolve();

/** One line at a time, in their order; `failed` is told if it cannot be kept. */
export function writeFamilyLog(line: string, failed: (error: unknown) => void): void {
  writing = writing.then(() => write(line)).catch(failed);
}

async function write(line: string): Promise<void> {
  const directory = join(agentDirectory(process.env), "logs");
  const file = join(directory, "extensions.log");
  await mkdir(directory, { recursive: true });
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
  await appendFile(file, `${line}\n`, { mode: 0o600 });
}

export function logLine(extension: string, level: string, words: readonly unknown[]): string {
  const said = words.map(inWords).join(" ").replace(/\n/g, "\\n");
  return `${new Date().toISOString()} ${level} ${extension}: ${said}`.slice(0, MAX_LINE_CHARS);
}

function inWords(given: unknown): string {
  if (typeof given === "string") return given;
  if (given instanceof Error) return given.stack ?? given.message;
  return Bun.inspect(given, { depth: 4, colors: false });
}
