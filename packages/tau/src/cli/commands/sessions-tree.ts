// tau sessions tree, label, rename: a session's tree to look at, and names for it and in it.

import { fitLine, oneLine } from "@tau/tui/width";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { findEntry } from "../../session/listing/find-entry.ts";
import type { TreeRow } from "../../session/operations/project-tree.ts";
import type { TreeFilter } from "../../session/operations/tree-filter.ts";
import type { SessionStore } from "../../session/session-store.ts";
import {
  attempted,
  noMore,
  sessionArgument,
  shortId,
  tell,
  tellRepairs,
  wrong,
} from "./sessions-arguments.ts";

type Flags = ParsedArgs["flags"];

/** What fits every terminal. */
const COLUMNS = 80;
/** The ends of ids differ most; longer ones where these are not enough. */
const LEAST_ID_CHARACTERS = 5;

export async function tree(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("tree", args);
  noMore("tree", args, 1);
  const filter = (typeof flags.filter === "string" ? flags.filter : "default") as TreeFilter;
  await using log = await store.openForReading(wanted);
  tellRepairs(log.repairs);
  const { projectTree } = await import("../../session/operations/project-tree.ts");
  const { leafId, title } = log;
  const { rows, omitted } = await projectTree(log.entries(), { leafId, filter });
  if (flags.json) {
    const { id, cwd } = log.header;
    const data = { id, cwd, title, leafId, omitted, rows };
    await writeOutput(`${JSON.stringify(data, null, 2)}\n`);
    return EXIT.done;
  }
  if (rows.length === 0) writeError(`${COMMAND}: nothing to show in this session\n`);
  const digits = idDigits(rows);
  await writeOutput(rows.map((row) => `${line(row, digits)}\n`).join(""));
  if (omitted > 0) writeError(`${COMMAND}: ${omitted} further entries are not shown\n`);
  return EXIT.done;
}

function line(row: TreeRow, digits: number): string {
  const mark = row.isLeaf ? "◉ " : row.isOnPath ? "• " : "  ";
  const label = row.label === undefined ? "" : `[${row.label}] `;
  const words = row.text === "" ? row.kind : `${row.kind}: ${row.text}`;
  const id = oneLine(row.id).slice(-digits).padStart(digits);
  return fitLine(`${id}  ${row.gutter}${mark}${label}${words}`, COLUMNS).trimEnd();
}

/** So many of their last characters tell all entries apart. */
function idDigits(rows: readonly TreeRow[]): number {
  const longest = Math.max(LEAST_ID_CHARACTERS, ...rows.slice(0, 1).map(({ id }) => id.length));
  for (let digits = LEAST_ID_CHARACTERS; digits < longest; digits += 1) {
    if (new Set(rows.map(({ id }) => id.slice(-digits))).size === rows.length) return digits;
  }
  return longest;
}

export async function label(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("label", args);
  const [, entry, ...words] = args;
  if (!entry) throw wrong("label", "name the entry to label; see tau sessions tree");
  const { labelEntry } = await import("../../session/operations/name-session.ts");
  await using log = await store.openForWriting(wanted);
  tellRepairs(log.repairs);
  const id = await findEntry(log.entries(), entry);
  const hide = await hiding(store);
  const given = await attempted(wanted, () => labelEntry(log, id, hide(words.join(" "))));
  const text =
    given.label === undefined ? `${id} no longer has a label` : `${id} is now [${given.label}]`;
  await tell(flags, text, { session: log.header.id, entry: id, label: given.label ?? null });
  return EXIT.done;
}

export async function rename(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("rename", args);
  const title = args.slice(1).join(" ");
  if (title.trim() === "") throw wrong("rename", "give the session a title");
  const { renameSession } = await import("../../session/operations/name-session.ts");
  await using log = await store.openForWriting(wanted);
  tellRepairs(log.repairs);
  const hide = await hiding(store);
  const given = await attempted(wanted, () => renameSession(log, hide(title)));
  const { id } = log.header;
  await tell(flags, `${shortId(id)} is now "${given.title}"`, { id, title: given.title });
  return EXIT.done;
}

/** As in the session itself: what is written down has no secrets. */
async function hiding({ places }: SessionStore): Promise<(text: string) => string> {
  const { openRedactor } = await import("../../features/open-redactor.ts");
  const redactor = await openRedactor(places.cwd, process.env);
  return (text) => redactor?.hide(text) ?? text;
}
