// Changes one setting in a file and nothing else: comments, order and everything that somebody
// else wrote meanwhile stay. A file that cannot be understood is never written over.

import { dirname } from "node:path";
import { withFileLock } from "@tau/host/lock/file-lock";
import { createDiskStorage } from "@tau/host/storage";
import { UserError } from "../user-error.ts";
import { isThere, readSettingsText } from "./settings-text.ts";

const WRITE = { point: "settings.write" };

/** `value` undefined takes the setting out of the file. */
export async function writeSetting(file: string, key: string, value: unknown): Promise<void> {
  await changeFile(file, (document) => {
    if (value !== undefined) setIn(document, key, value, file);
    else if (existingPaths(document, key).length === 0) return "unchanged";
    else removeIn(document, key);
    return "changed";
  });
}

/** One entry of a map, under a name that may have any signs in it; `value` undefined takes it out. */
export async function writeEntry(
  file: string,
  key: string,
  { name, value }: { name: string; value: unknown },
): Promise<void> {
  await changeFile(file, (document) => {
    if (value !== undefined) {
      const path = [...existingPath(document, key), name];
      makeRoom(document, path, file);
      document.setIn(path, value);
      return "changed";
    }
    const paths = existingPaths(document, key)
      .map((path) => [...path, name])
      .filter((path) => document.hasIn(path));
    for (const path of paths) removeAt(document, path);
    return paths.length > 0 ? "changed" : "unchanged";
  });
}

/** At the end of a list, where the last word counts; one that stands further up moves there. */
export async function appendToSetting(
  file: string,
  key: string,
  items: readonly string[],
  /** The list stands under this name of the setting, a map; it may have any signs in it. */
  below?: string,
): Promise<void> {
  const { isSeq, isScalar } = await import("yaml");
  await changeFile(file, (document) => {
    const heading = existingPath(document, key);
    const path = below === undefined ? heading : [...heading, below];
    if (below !== undefined) makeRoom(document, path, file);
    const list = document.getIn(path);
    if (!isSeq(list)) {
      // Whatever stands there was meant as something; a list in its place would end it.
      if (list !== undefined && list !== null) {
        throw new UserError(`${file}: ${key} is not a list; fix it first.`);
      }
      const empty = document.getIn(path, true) as Node | undefined;
      const node = document.createNode([...items]);
      // Entries that are commented out stay.
      node.commentBefore = empty?.commentBefore ?? empty?.comment;
      if (below === undefined) setIn(document, key, node, file);
      else document.setIn(path, node);
      return "changed";
    }
    const isNew = (item: unknown): boolean =>
      !items.includes(String(isScalar(item) ? item.value : item));
    list.items = [
      ...list.items.filter(isNew),
      ...[...new Set(items)].map((item) => document.createNode(item)),
    ];
    return "changed";
  });
}

/** Out of the list under this name of the setting, a map; with the list, if that is empty then. */
export async function removeFromSetting(
  file: string,
  key: string,
  { item, below }: { item: string; below: string },
): Promise<void> {
  const { isSeq, isScalar } = await import("yaml");
  await changeFile(file, (document) => {
    const path = [...existingPath(document, key), below];
    const list = document.getIn(path);
    if (!isSeq(list)) return "unchanged";
    const left = list.items.filter((one) => String(isScalar(one) ? one.value : one) !== item);
    if (left.length === list.items.length) return "unchanged";
    list.items = left;
    if (left.length === 0) removeAt(document, path);
    return "changed";
  });
}

/** One process at a time; nothing is written where the change is none, or fails. */
export async function changeFile(
  file: string,
  change: (document: Document) => Changed | Promise<Changed>,
): Promise<void> {
  const { isMap, parseDocument } = await import("yaml");
  const storage = createDiskStorage();
  await storage.makeDirectory(dirname(file), { point: "settings.directory" });
  await withFileLock(file, async () => {
    const before = readIfThere(file);
    const document = parseDocument(before);
    if (document.errors.length > 0) throw await notYaml(file, before);
    if (document.contents !== null && !isMap(document.contents)) {
      throw new UserError(`${file} contains no settings (\`key: value\`); fix it first.`);
    }
    if ((await change(document)) === "unchanged") return;
    const text = document.contents === null ? "" : document.toString({ lineWidth: 0 });
    await storage.replace(file, Buffer.from(text), WRITE);
  });
}

async function notYaml(file: string, text: string): Promise<UserError> {
  const { yamlError } = await import("./yaml-position.ts");
  const { line, why } = (await yamlError(text))!;
  return new UserError(`${file}:${line} cannot be read (${why}); fix it first.`);
}

type Changed = "changed" | "unchanged";
type Document = import("yaml").Document.Parsed;

export function setIn(document: Document, key: string, value: unknown, file: string): void {
  const path = existingPath(document, key);
  makeRoom(document, path, file);
  document.setIn(path, value);
  // Of two the last would count, whatever was set.
  for (const other of existingPaths(document, key)) {
    if (other.join() !== path.join()) removeAt(document, other);
  }
}

/** A heading with nothing below it is one with room; anything else there is somebody's. */
function makeRoom(document: Document, path: readonly string[], file: string): void {
  for (let length = 1; length < path.length; length++) {
    const around = path.slice(0, length);
    const node = document.getIn(around, true) as Node | undefined;
    if (node === undefined || node.items !== undefined) continue;
    if (node.value !== null) {
      throw new UserError(`${file}: ${around.join(".")} contains no settings; fix it first.`);
    }
    const map = document.createNode({});
    // Behind it there is no place any more where it has lines below.
    map.commentBefore = node.commentBefore ?? node.comment;
    document.setIn(around, map);
  }
}

interface Node {
  items?: unknown[];
  value?: unknown;
  comment?: string | null;
  commentBefore?: string | null;
}

/** The one that counts, as the file has it. */
function existingPath(document: Document, key: string): string[] {
  return existingPaths(document, key).at(-1) ?? key.split(".");
}

/** `a.b: 1` at the top and `b` inside of `a` are both understood. */
function existingPaths(document: Document, key: string): string[][] {
  const within = (map: unknown, rest: string): string[][] =>
    pairsOf(map).flatMap(({ key: { value: name }, value }) => {
      if (name === rest) return [[rest]];
      const isOnTheWay = typeof name === "string" && rest.startsWith(`${name}.`);
      if (!isOnTheWay) return [];
      return within(value, rest.slice(name.length + 1)).map((path) => [name, ...path]);
    });
  return within(document.contents, key);
}

export function removeIn(document: Document, key: string): void {
  for (const path of existingPaths(document, key)) removeAt(document, path);
}

/** With the map around it, where that is empty then. */
function removeAt(document: Document, path: readonly string[]): void {
  keepHeading(document, path);
  document.deleteIn(path);
  for (let at = path.length - 1; at > 0; at--) {
    const around = document.getIn(path.slice(0, at)) as { items?: unknown[] } | undefined;
    if ((around?.items?.length ?? 1) > 0) return;
    keepHeading(document, path.slice(0, at));
    document.deleteIn(path.slice(0, at));
  }
}

/** The same value under another name, where it stands and with what is said about it. */
export function renameIn(document: Document, old: string, now: string, file: string): void {
  const path = existingPath(document, old);
  const around = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  const pair = pairsOf(around).find(({ key }) => key.value === path.at(-1));
  const wanted = now.split(".");
  const isNeighbour = wanted.slice(0, -1).join(".") === path.slice(0, -1).join(".");
  if (pair && isNeighbour) pair.key.value = wanted.at(-1)!;
  else {
    const value = document.getIn(path);
    removeIn(document, old);
    setIn(document, now, value, file);
  }
}

interface Pair {
  key: { value: unknown; commentBefore?: string | null; spaceBefore?: boolean };
  value?: unknown;
}

function pairsOf(map: unknown): Pair[] {
  return (map as { items?: Pair[] } | null)?.items ?? [];
}

/** What stands above the first setting is about the file as often as about the setting: it stays. */
function keepHeading(document: Document, path: readonly string[]): void {
  const [first, second] = pairsOf(document.contents);
  const heading = first?.key.commentBefore;
  if (path.length > 1 || first?.key.value !== path[0] || !heading) return;
  const heir: Pair["key"] | Document = second?.key ?? document;
  heir.commentBefore = [heading, heir.commentBefore].filter(Boolean).join("\n");
  if (second) second.key.spaceBefore = false;
}

function readIfThere(file: string): string {
  if (!isThere(file)) return "";
  const read = readSettingsText(file);
  if (read.ok) return read.text;
  throw new UserError(`${file} ${read.why}; move it away or fix it first.`);
}
