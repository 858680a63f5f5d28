// What a cell threw, as its author needs to see it: with the lines of cells that led there, and
// without the machinery around them. Lines are quoted and not numbered: what runs is a script
// made from the cell, and its numbers are its own.

import type { CellError } from "../kernel-frame.ts";

/** Scripts kept for errors that pass through functions of earlier cells. */
const KEPT_SCRIPTS = 200;
const MAX_FRAMES = 20;
const MAX_LINE = 120;
const MAX_CAUSES = 5;
const MAX_MESSAGE = 8000;

/** Where this runs from: a bundle has the whole kernel in one file, which only a stack names. */
const OWN_FILE =
  /(\/[^\n]+?):\d+:\d+\)?(?:\n|$)/.exec(new Error("here").stack ?? "")?.[1] ?? import.meta.path;

const scripts = new Map<string, string[]>();

export function rememberScript(name: string, script: string): void {
  scripts.set(name, script.split("\n"));
  for (const oldest of scripts.keys()) {
    if (scripts.size <= KEPT_SCRIPTS) break;
    scripts.delete(oldest);
  }
}

export function describeError(thrown: unknown): CellError {
  const head = headOf(thrown);
  const lines = [head.text, ...framesOf(thrown)];
  let cause: unknown = (thrown as { cause?: unknown } | null)?.cause;
  for (let depth = 0; cause !== undefined && depth < MAX_CAUSES; depth++) {
    lines.push(`caused by ${headOf(cause).text}`);
    cause = (cause as { cause?: unknown } | null)?.cause;
  }
  const { name, message } = head;
  return { name, message, traceback: lines.join("\n") };
}

function headOf(thrown: unknown): { name: string; message: string; text: string } {
  try {
    if (thrown instanceof Error || (typeof thrown === "object" && thrown && "message" in thrown)) {
      const { name, message } = thrown as { name?: unknown; message: unknown };
      const named = typeof name === "string" && name !== "" ? name : "Error";
      const words = bounded(String(message));
      return { name: named, message: words, text: words === "" ? named : `${named}: ${words}` };
    }
    const words = bounded(Bun.inspect(thrown));
    return { name: "Error", message: words, text: `thrown: ${words}` };
  } catch (error) {
    // Getters and proxies may throw themselves.
    return { name: "Error", message: String(error), text: "an error that cannot be described" };
  }
}

function bounded(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}

function framesOf(thrown: unknown): string[] {
  const stack: unknown = (thrown as { stack?: unknown } | null)?.stack;
  if (typeof stack !== "string") return [];
  const frames: string[] = [];
  for (const line of stack.split("\n")) {
    const trimmed = line.trim();
    // What is below is the kernel itself.
    if (/^at runInThisContext\b/.test(trimmed)) break;
    if (!trimmed.startsWith("at ")) continue;
    const frame = trimmed.includes("[cell ") ? cellFrame(trimmed) : otherFrame(trimmed);
    if (frame !== undefined && frame !== frames.at(-1)) frames.push(frame);
    if (frames.length >= MAX_FRAMES) break;
  }
  return frames;
}

function cellFrame(line: string): string | undefined {
  const found = /\[cell (\d+)\]:(\d+)/.exec(line);
  if (!found) return undefined;
  const [, cell, number] = found;
  const source = scripts.get(cell!)?.[Number(number) - 1]?.trim();
  // The last line of a script only calls it.
  if (source === "})();") return undefined;
  if (source === undefined) return `    at cell ${cell}`;
  return `    at cell ${cell}: ${source.slice(0, MAX_LINE)}`;
}

function otherFrame(line: string): string | undefined {
  if (/\b(?:node|bun|internal):|\$bunfs|~BUN|\(unknown\)|\(native[:)]/.test(line)) return undefined;
  // The kernel's own: modules of this directory, or all of it in one file.
  if (line.includes(import.meta.dir) || line.includes(OWN_FILE)) return undefined;
  return `    ${line}`;
}
