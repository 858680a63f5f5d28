// From a path as a model or a person writes it to a path of this machine, and back to how it
// is shown: short where it is inside the working directory, whole where it is not.

import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Absolute. A lone `/` means the working directory: nobody wants to read the whole disk. */
export function resolvePath(input: string, place: { cwd: string; home: string }): string {
  const path = tidyPath(input);
  if (path === "/" || path === "") return place.cwd;
  if (path === "~") return place.home;
  if (path.startsWith("~/")) return resolve(place.home, path.slice(2));
  return resolve(place.cwd, path);
}

export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  if (inside === "") return ".";
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (isOutside ? path : inside).replaceAll(sep, "/");
}

/**
 * The path as it is spelled on disk, where it is spelled otherwise than it was written: macOS
 * writes names decomposed, screenshots with a narrow space, and quotes curly.
 */
export function spelledOnDisk(path: string): string | undefined {
  if (existsSync(path)) return path;
  const variants = [
    path.normalize("NFD"),
    path.normalize("NFC"),
    path.replace(/ (AM|PM)(?=\.[^./]*$)/i, "\u202f$1"),
    path.replaceAll("'", "\u2019"),
    path.replaceAll("'", "\u2019").normalize("NFD"),
  ];
  return variants.find((variant) => variant !== path && existsSync(variant));
}
