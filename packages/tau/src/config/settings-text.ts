// The text of a settings file, or why it cannot be had. Whatever stands in the file's place must not
// hold up a start: a pipe that nobody writes to, a device, a file of gigabytes.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";

/** Settings are a few kilobytes; more is something else that stands in their place. */
const MAX_BYTES = 1024 * 1024;

export type SettingsText =
  | { ok: true; text: string }
  | {
      ok: false;
      why: string;
      line?: number;
      /** As far as it could be read; undefined if it may hold anything. */
      text?: string;
    };

/** A link that leads nowhere and a directory that may not be entered are there: something is lost. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

export interface SettingsReading {
  /** Whether one may be waited for, because the user named it for this run. */
  pipes?: "wait" | "refuse";
  /** Of the only content that is wanted (SHA-256). */
  hash?: string;
}

export function readSettingsText(
  file: string,
  { pipes = "refuse", hash }: SettingsReading = {},
): SettingsText {
  const flags = constants.O_RDONLY | (pipes === "wait" ? 0 : (constants.O_NONBLOCK ?? 0));
  let handle: number | undefined;
  try {
    handle = openSync(file, flags);
    const stat = fstatSync(handle);
    if (stat.isDirectory()) return no("is a directory");
    if (!stat.isFile() && pipes === "refuse") return no("is not a file");
    if (stat.size > MAX_BYTES) return no(TOO_LARGE);
    const bytes = readFileSync(handle);
    if (bytes.length > MAX_BYTES) return no(TOO_LARGE);
    if (hash !== undefined && Bun.CryptoHasher.hash("sha256", bytes, "hex") !== hash) {
      return no("was changed while Tau looked at it; restart Tau");
    }
    return decode(bytes);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    if (code === "EISDIR") return no("is a directory");
    return no(code === "ENOENT" ? "is a dangling link" : `cannot be read (${code})`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const TOO_LARGE = `is larger than ${MAX_BYTES / 1024} KB`;

/** Everything below a space but line ends and tabs: no editor writes it, a damaged disk does. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/;

function decode(bytes: Buffer): SettingsText {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Words can be found in it all the same, in two bytes a letter too.
    const words = bytes.toString("latin1").replaceAll("\0", "");
    return { ok: false, why: "is not text in UTF-8", text: words };
  }
  const at = CONTROL.exec(text)?.index;
  if (at === undefined) return { ok: true, text };
  const line = text.slice(0, at).split("\n").length;
  const words = text.replaceAll("\0", "");
  return { ok: false, why: "there is a control character here", line, text: words };
}

function no(why: string): SettingsText {
  return { ok: false, why };
}
