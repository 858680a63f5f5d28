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
    const path = existingPath(document, key);
    if (value !== undefined) document.setIn(path, value);
    else if (!document.hasIn(path)) return "unchanged";
    else removeIn(document, path);
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

async function changeFile(
  file: string,
  change: (document: Document) => "changed" | "unchanged",
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
    if (change(document) === "unchanged") return;
    const text = document.contents === null ? "" : document.toString({ lineWidth: 0 });
    await createDiskStorage().replace(file, Buffer.from(text), WRITE);
  });
}

type Document = import("yaml").Document.Parsed;

/** As the file has it: `a.b: 1` at the top and `b` inside of `a` are both understood. */
function existingPath(document: Document, key: string): string[] {
  return document.hasIn([key]) ? [key] : key.split(".");
}

/** With the map around it, where that is empty then. */
function removeIn(document: Document, path: readonly string[]): void {
  document.deleteIn(path);
  for (let at = path.length - 1; at > 0; at--) {
    const around = document.getIn(path.slice(0, at)) as { items?: unknown[] } | undefined;
    if ((around?.items?.length ?? 1) > 0) return;
    document.deleteIn(path.slice(0, at));
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return "";
    throw error;
  }
}
