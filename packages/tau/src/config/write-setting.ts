// Changes one setting in a file and nothing else: comments, order and everything that somebody
// else wrote meanwhile stay. A file that cannot be understood is never written over.

import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { withFileLock } from "@tau/host/file-lock";
import { createDiskStorage } from "@tau/host/storage";
import { UserError } from "../user-error.ts";

const WRITE = { point: "settings.write" };

/** `value` undefined takes the setting out of the file. */
export async function writeSetting(file: string, key: string, value: unknown): Promise<void> {
  await changeFile(file, (document) => {
    if (value !== undefined) setIn(document, key, value);
    else if (!document.hasIn(existingPath(document, key))) return "unchanged";
    else removeIn(document, key);
    return "changed";
  });
}

/** At the end of a list, where the last word counts; one that stands further up moves there. */
export async function appendToSetting(
  file: string,
  key: string,
  items: readonly string[],
): Promise<void> {
  const { isSeq, isScalar } = await import("yaml");
  await changeFile(file, (document) => {
    const path = existingPath(document, key);
    const list = document.getIn(path);
    if (!isSeq(list)) {
      document.setIn(path, [...items]);
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

/** One process at a time; nothing is written where the change is none, or fails. */
export async function changeFile(
  file: string,
  change: (document: Document) => Changed | Promise<Changed>,
): Promise<void> {
  const { isMap, parseDocument } = await import("yaml");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await withFileLock(file, async () => {
    const document = parseDocument(readIfThere(file));
    const [problem] = document.errors;
    if (problem) {
      throw new UserError(`${file}: ${problem.message.split("\n")[0]} Mend it first.`);
    }
    if (document.contents !== null && !isMap(document.contents)) {
      throw new UserError(`${file} holds no settings (\`key: value\`); mend it first.`);
    }
    if ((await change(document)) === "unchanged") return;
    const text = document.contents === null ? "" : document.toString({ lineWidth: 0 });
    await createDiskStorage().replace(file, Buffer.from(text), WRITE);
  });
}

type Changed = "changed" | "unchanged";
type Document = import("yaml").Document.Parsed;

export function setIn(document: Document, key: string, value: unknown): void {
  document.setIn(existingPath(document, key), value);
}

/** As the file has it: `a.b: 1` at the top and `b` inside of `a` are both understood. */
function existingPath(document: Document, key: string): string[] {
  return document.hasIn([key]) ? [key] : key.split(".");
}

/** With the map around it, where that is empty then. */
export function removeIn(document: Document, key: string): void {
  const path = existingPath(document, key);
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
export function renameIn(document: Document, old: string, now: string): void {
  const path = existingPath(document, old);
  const around = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  const pair = pairsOf(around).find(({ key }) => key.value === path.at(-1));
  const wanted = now.split(".");
  const isNeighbour = wanted.slice(0, -1).join(".") === path.slice(0, -1).join(".");
  if (pair && isNeighbour) pair.key.value = wanted.at(-1)!;
  else {
    const value = document.getIn(path);
    removeIn(document, old);
    setIn(document, now, value);
  }
}

interface Pair {
  key: { value: unknown; commentBefore?: string | null; spaceBefore?: boolean };
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
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return "";
    throw error;
  }
}
