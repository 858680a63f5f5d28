// tau sessions: what was said before, to find, read, hand on, change or remove.

import { currentDirectory } from "../../base/working-directory.ts";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { registerRows } from "../../features/register-rows.ts";
import { collectSession, exportJson } from "../../session/export/exported-session.ts";
import { findSession } from "../../session/listing/find-session.ts";
import {
  listAllSessions,
  listSessions,
  surveySessions,
} from "../../session/listing/list-sessions.ts";
import type { SessionInfo } from "../../session/listing/session-info.ts";
import { SessionStore } from "../../session/session-store.ts";
import {
  attempted,
  noMore,
  readVerb,
  sessionArgument,
  shortId,
  tellRepairs,
  wrong,
} from "./sessions-arguments.ts";

type Flags = ParsedArgs["flags"];

export async function run(args: ParsedArgs): Promise<ExitCode> {
  // What features tell and keep is shown as in the session itself.
  registerRows(BUILT_IN);
  const verb = readVerb(args);
  const { flags } = args;
  const rest = args.positionals.slice(1);
  const store = new SessionStore({ env: process.env, cwd: currentDirectory() });
  switch (verb) {
    case "list":
      return list(store, { all: flags.all === true, json: flags.json === true });
    case "show":
    case "export": {
      const wanted = sessionArgument(verb, rest);
      noMore(verb, rest, 1);
      return show(store, wanted, typeof flags.format === "string" ? flags.format : "md");
    }
    case "rm":
      return remove(store, flags, rest);
    case "gc":
      return collectGarbage(store);
    case "tree":
    case "label":
    case "rename":
      return (await import("./sessions-tree.ts"))[verb](store, flags, rest);
    case "import":
      return (await import("./sessions-copy.ts")).importFile(store, flags, rest);
    default:
      return (await import("./sessions-copy.ts"))[verb](store, flags, rest);
  }
}

async function list(
  store: SessionStore,
  options: { all: boolean; json: boolean },
): Promise<ExitCode> {
  const { directory, sessionsDirectory } = store.places;
  const found = options.all
    ? await listAllSessions(sessionsDirectory)
    : await listSessions(directory);
  const { damaged } = await surveySessions(directory);
  for (const { path } of damaged) {
    writeError(
      `${COMMAND}: ${path} does not begin as a session should; ${COMMAND} sessions repair ${path} rebuilds it\n`,
    );
  }
  if (options.json) {
    await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
    return EXIT.done;
  }
  // Nobody looks for a conversation that never began.
  const worth = found.filter((info) => info.status !== "empty");
  if (worth.length === 0) {
    const where = options.all ? "" : " in this directory; --all shows all directories";
    writeError(`${COMMAND}: no sessions${where}\n`);
    return EXIT.done;
  }
  await writeOutput(worth.map((info) => `${row(info, options.all)}\n`).join(""));
  return EXIT.done;
}

function row(info: SessionInfo, withPlace: boolean): string {
  const when = new Date(info.modifiedAt).toISOString().slice(0, 16).replace("T", " ");
  const mark = info.status === "open" ? "…" : " ";
  const place = withPlace ? `  ${info.cwd}` : "";
  return `${shortId(info.id)}  ${when} ${mark} ${info.name}${place}`;
}

async function show(store: SessionStore, wanted: string, format: string): Promise<ExitCode> {
  await using log = await store.openForReading(wanted);
  tellRepairs(log.repairs);
  const { openRedactor } = await import("../../features/open-redactor.ts");
  const session = await collectSession(log, await openRedactor(store.places.cwd, process.env));
  if (format === "json") {
    await writeOutput(exportJson(session));
    return EXIT.done;
  }
  const { loadRemarks } = await import("../../modes/load-remarks.ts");
  const remarks = await loadRemarks(BUILT_IN);
  if (format === "html") {
    const { exportHtml } = await import("../../session/export/export-html.ts");
    await writeOutput(exportHtml(session, remarks));
  } else {
    const { exportMarkdown } = await import("../../session/export/export-markdown.ts");
    await writeOutput(exportMarkdown(session, remarks));
  }
  return EXIT.done;
}

async function remove(
  store: SessionStore,
  flags: Flags,
  wanted: readonly string[],
): Promise<ExitCode> {
  if (wanted.length === 0) throw wrong("rm", "name a session");
  const { deleteSession } = await import("../../session/operations/delete-session.ts");
  // All are found before any is removed; twice the same is once.
  const paths = await Promise.all(wanted.map((name) => findSession(name, store.places)));
  const removed: string[] = [];
  for (const path of new Set(paths)) {
    await attempted(path, () => deleteSession(path, store.surroundings));
    removed.push(path);
    if (!flags.json) await writeOutput(`removed ${path}\n`);
  }
  if (flags.json) await writeOutput(`${JSON.stringify({ removed }, null, 2)}\n`);
  return EXIT.done;
}

async function collectGarbage(store: SessionStore): Promise<ExitCode> {
  const { removeOrphanBlobs } = await import("../../session/listing/orphan-blobs.ts");
  const { removeLeftovers } = await import("../../session/listing/leftovers.ts");
  const leftovers = await removeLeftovers(store.places.sessionsDirectory, Date.now());
  const { removeStaleLocks } = await import("../../session/listing/stale-locks.ts");
  const sessions = await listAllSessions(store.places.sessionsDirectory);
  const locks = await removeStaleLocks(
    sessions.map(({ path }) => path),
    store.surroundings,
  );
  const { removed, bytes } = await removeOrphanBlobs(store);
  await writeOutput(`removed ${removed} images that no session uses, ${bytes} bytes\n`);
  if (leftovers > 0)
    await writeOutput(`removed ${leftovers} files left by interrupted operations\n`);
  if (locks > 0) {
    const what = locks === 1 ? "1 lock" : `${locks} locks`;
    await writeOutput(`removed ${what} of processes that no longer run\n`);
  }
  return EXIT.done;
}
