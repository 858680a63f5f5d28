// From a path as a model or a person writes it to a path of this machine, and back to how it
// is shown: short where it is inside the working directory, whole where it is not.

import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@tau/agent/tool";
import { readWrittenPath, writtenPath } from "@tau/host/walk/byte-name";
import { isByteName, onDisk } from "@tau/host/walk/byte-path";

/** Without quotes, spaces around it and a `file:` scheme; slashes as everywhere. */
export function tidyPath(input: string): string {
  let path = input.trim();
  const quoted = /^(["'`])(.+)\1$/s.exec(path);
  if (quoted) path = quoted[2]!.trim();
  if (path.startsWith("file://")) path = fromFileUrl(path);
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    // A host, or characters that are no URL's: what follows the scheme is the best guess.
    if (error instanceof TypeError) return url.slice("file://".length);
    throw error;
  }
}

/**
 * Absolute. A lone `/` means the working directory: nobody wants to read the whole disk. Names in
 * bash's form are the bytes that they spell.
 */
export function resolvePath(input: string, place: { cwd: string; home: string }): string {
  const path = readWrittenPath(tidyPath(input));
  if (path === "/" || path === "") return place.cwd;
  if (path === "~") return place.home;
  if (path.startsWith("~/")) return resolve(place.home, path.slice(2));
  return resolve(place.cwd, path);
}

export function shownPath(path: string, cwd: string): string {
  return writtenPath(nearPath(path, cwd));
}

/** The same with each name as it is, for patterns that are about names. */
export function nearPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  if (inside === "") return ".";
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (isOutside ? path : inside).replaceAll(sep, "/");
}

/** For what is opened by programs and libraries that take names as text only. */
export function refuseByteName(path: string, place: { cwd: string }): void {
  if (!isByteName(path)) return;
  throw new ToolError(
    `${shownPath(path, place.cwd)} is an archive, a database or a document, and those cannot be opened below a name that is not UTF-8. Copy it to another name with bash first, with ? for each \\NNN.`,
  );
}

/**
 * The path as it is spelled on disk, where it is spelled otherwise than it was written: macOS
 * writes names decomposed, screenshots with a narrow space, and quotes curly.
 */
export function spelledOnDisk(path: string): string | undefined {
  if (existsSync(onDisk(path))) return path;
  const variants = [
    path.normalize("NFD"),
    path.normalize("NFC"),
    path.replace(/ (AM|PM)(?=\.[^./]*$)/i, "\u202f$1"),
    path.replaceAll("'", "\u2019"),
    path.replaceAll("'", "\u2019").normalize("NFD"),
  ];
  return variants.find((variant) => variant !== path && existsSync(onDisk(variant)));
}
