// Paths in the user's words: which of them look like one, and which an edit may touch.

import { unquote } from "./utterance.ts";

/** Files that are known by name although nothing in the name says "file". */
const BARE_NAMES =
  /^(?:makefile|dockerfile|license|licence|readme|changelog|gemfile|rakefile|procfile|justfile)$/i;

/** Whether a word is more likely a path than a symbol or plain English. */
export function looksLikePath(word: string): boolean {
  if (/\s/.test(word) || word === "") return false;
  if (BARE_NAMES.test(word)) return true;
  if (/^[a-z]+:\/\//i.test(word)) return false;
  if (/[/\\]/.test(word)) return /[\w]/.test(word);
  // `name.ext` or `.name`, but neither `obj.method()` nor a version number.
  return /^\.?[\w@+-][\w@+.-]*\.[a-z][\w+-]{0,9}$/i.test(word) || /^\.[a-z][\w-]+$/i.test(word);
}

/** A path as typed: `@src/a.ts`, `"src/a b.ts"`, `src/a.ts.` at the end of a sentence. */
export function cleanPath(word: string): string {
  const quoted = unquote(word);
  if (quoted !== undefined) return quoted.replace(/^@/, "");
  const mentioned = word.replace(/^@/, "");
  const inside = unquote(mentioned);
  if (inside !== undefined) return inside;
  return mentioned.replace(/(?<=[^.,;:!?])[.,;:!?]+$/, "");
}

/** The first path in a sentence: a mention, a quoted path, or a word that looks like one. */
export function findPath(sentence: string): string | undefined {
  const mention = /(?:^|\s)@("[^"]+"|'[^']+'|\S+)/.exec(sentence);
  if (mention !== null) return cleanPath(`@${mention[1]!}`);
  for (const match of sentence.matchAll(/`([^`]+)`|"([^"]+)"|'([^']+)'|(\S+)/g)) {
    const word = match[1] ?? match[2] ?? match[3] ?? cleanPath(match[4]!);
    if (looksLikePath(word)) return word;
  }
  return undefined;
}

/** Why an edit may not touch this path, or undefined where it may. */
export function outsideReason(path: string): string | undefined {
  if (path.trim() === "") return "that is not a file name";
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f]/.test(path)) return "a file name with control characters is not supported";
  if (/^(?:[/\\]|[a-z]:|~)/i.test(path)) return "I only change files below the working directory";
  let depth = 0;
  const parts = path.split(/[/\\]/);
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return "I only change files below the working directory";
  }
  const last = parts.at(-1)!;
  if (last === "" || last === "." || last === ".." || depth === 0) {
    return "that names a folder, not a file";
  }
  return undefined;
}
