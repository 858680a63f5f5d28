// SQLite databases: `db.sqlite`, `db.sqlite:table`, `db.sqlite:table:key`, `db.sqlite?q=…`. Reading
// cannot change them; writing changes one row.

import { ToolError } from "@tau/agent/tool";
import type { RowWrite } from "@tau/host/database/row-write";
import { isDatabaseFile, splitDatabasePath } from "@tau/host/database/database-path";
import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import { selfCommand } from "../base/self-command.ts";
import type { LocalPlace } from "./local-kind.ts";
import { refuseByteName, resolvePath, shownPath } from "./local-path.ts";
import type { ResourceKind } from "./resource.ts";
import { WHOLE } from "./selector.ts";

export function createDatabaseKind(
  place: LocalPlace,
  confineReader?: () => ConfineReader | undefined,
): ResourceKind {
  return {
    name: "database",
    // The end of the path is the database's own: `:users:42` is a row, not a line.
    async open({ input, signal }) {
      const found = await locate(input, place);
      if (!found) return undefined;
      const [{ readDatabase }, { pieceQuery, renderAnswer }] = await Promise.all([
        import("@tau/host/database/database"),
        import("@tau/host/database/render-answer"),
      ]);
      return explained(async () => {
        const answer = await readDatabase(found.database, found.selector, {
          signal,
          ...helper(confineReader),
        });
        const text = renderAnswer(answer);
        const lines = text.split("\n").length;
        return {
          type: "text",
          shown: shownPath(input, place.cwd),
          text,
          notes: [],
          lines,
          selector: WHOLE,
          moreHint: moreHint(shownPath(found.database, place.cwd), pieceQuery(answer)),
          contents: () => Promise.reject(new ToolError(NOT_SEARCHED)),
        };
      });
    },
    async write({ input, signal }, content) {
      const found = await locate(input, place);
      // A database is never made by writing a row; a file of that name is a file.
      if (!found) return refuseMissing(input, place);
      if (found.selector === "") {
        throw new ToolError(
          `Name a table: ${shownPath(found.database, place.cwd)}:TABLE or :TABLE:KEY.`,
        );
      }
      const { writeDatabase } = await import("@tau/host/database/database");
      return explained(async () => {
        const options = { signal, ...helper(confineReader) };
        const write = await writeDatabase(found.database, found.selector, content, options);
        return { text: writtenText(write), path: found.database, details: { ...write } };
      });
    },
  };
}

function moreHint(database: string, piece: string | undefined): string {
  return piece === undefined
    ? "[there is more: choose fewer columns or rows, with LIMIT and OFFSET; a long cell in pieces, with substr]"
    : `[there is more of this row; in pieces: ${database}?q=${piece}]`;
}

const NOT_SEARCHED =
  "search does not look into databases: ask them with read, as in app.db?q=SELECT … WHERE name LIKE '%x%'.";

interface Located {
  database: string;
  selector: string;
}

async function locate(input: string, place: LocalPlace): Promise<Located | undefined> {
  for (const { database, selector } of splitDatabasePath(input)) {
    const absolute = resolvePath(database, place);
    if (!(await isDatabaseFile(absolute))) continue;
    refuseByteName(absolute, place);
    return { database: absolute, selector };
  }
  return undefined;
}

async function refuseMissing(input: string, place: LocalPlace): Promise<undefined> {
  for (const { database, selector } of splitDatabasePath(input)) {
    if (selector === "") continue;
    if ((await isDatabaseFile(resolvePath(database, place))) === undefined) {
      throw new ToolError(`There is no database ${database}; create it first, with sqlite3.`);
    }
  }
  return undefined;
}

function writtenText({ action, table, key, found }: RowWrite): string {
  if (action === "inserted") return `Inserted a row into ${table}.`;
  if (!found) return `There is no row ${key} in ${table}; nothing was ${action}.`;
  return `${action === "updated" ? "Updated" : "Deleted"} row ${key} in ${table}.`;
}

export interface Helper {
  helper: readonly string[] | undefined;
  confineReader: ConfineReader | undefined;
}

/** The engine runs in a process of its own; a single executable starts itself. */
export function helper(confineReader?: () => ConfineReader | undefined): Helper {
  return { helper: selfCommand(["serve-confined"]), confineReader: confineReader?.() };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === "DatabaseError")
      throw new ToolError(error.message);
    throw error;
  }
}
