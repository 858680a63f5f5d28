// Writes a conversation to a file, in the form that the file's name asks for. Never over something that
// is there.

import { writeFile } from "node:fs/promises";
import type { Redactor } from "../../base/redactor.ts";
import { UserError } from "../../user-error.ts";
import type { SessionLog } from "../session-log.ts";
import { collectSession, exportJson, type ExportedSession } from "./exported-session.ts";
import type { RemarksOn } from "./work-text.ts";

type Export = (session: ExportedSession, remarks: RemarksOn) => string | Promise<string>;

const FORMATS: readonly (readonly [extension: string, Export])[] = [
  [".json", exportJson],
  [".md", async (...given) => (await import("./export-markdown.ts")).exportMarkdown(...given)],
  [".html", async (...given) => (await import("./export-html.ts")).exportHtml(...given)],
];

/** Something of that name is there. */
export class FileExists extends UserError {}

/** A `UserError` if the name says no format, or nothing can be written there. */
export async function writeExport(
  { log, redactor }: { log: SessionLog; redactor: Redactor | undefined },
  path: string,
  remarks: RemarksOn,
): Promise<void> {
  const format = FORMATS.find(([extension]) => path.endsWith(extension))?.[1];
  if (!format) {
    throw new UserError(`add a file extension for the format: ${path}.html, .md or .json`);
  }
  await writeNew(path, await format(await collectSession(log, redactor), remarks));
}

export async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST") throw new FileExists(`${path} already exists; choose another name`);
    if (typeof code === "string") throw new UserError(`${path} cannot be written (${code})`);
    throw error;
  }
}
