// tau sessions: what was said before, to find, read, hand on or remove.

import { rm } from "node:fs/promises";
import type { ParsedArgs } from "../cli/command-table.ts";
import { findCommand } from "../cli/command-table.ts";
import { writeError, writeOutput } from "../cli/output.ts";
import { usageLine } from "../cli/parse.ts";
import { suggest } from "../cli/suggest.ts";
import { COMMAND } from "../brand.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { findSession } from "../session/listing/find-session.ts";
import { listAllSessions, listSessions } from "../session/listing/list-sessions.ts";
import type { SessionInfo } from "../session/listing/session-info.ts";
import { collectSession, exportJson } from "../session/export/exported-session.ts";
import { SessionStore } from "../session/session-store.ts";
import { UsageError } from "../user-error.ts";

const VERBS = ["list", "show", "export", "rm", "gc"] as const;

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [verb = "list", ...rest] = positionals;
  const store = new SessionStore({ env: process.env, cwd: process.cwd() });
  switch (verb) {
    case "list":
      return list(store, { all: flags.all === true, json: flags.json === true });
    case "show":
      return show(store, oneOf(rest), "md");
    case "export":
      return show(store, oneOf(rest), typeof flags.format === "string" ? flags.format : "md");
    case "rm":
      return remove(store, rest);
    case "gc":
      return collectGarbage(store);
    default: {
      const near = suggest(verb, VERBS);
      const hint = near ? `did you mean "${near}"?` : `there are ${VERBS.join(", ")}`;
      throw new UsageError(
        `unknown subcommand "${verb}"; ${hint}`,
        usageLine(findCommand("sessions")!),
      );
    }
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
  if (options.json) {
    await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
    return EXIT.done;
  }
  // Nobody looks for a conversation that never began.
  const worth = found.filter((info) => info.status !== "empty");
  if (worth.length === 0) {
    const where = options.all ? "" : " in this directory; --all shows those of others";
    writeError(`${COMMAND}: no sessions${where}\n`);
    return EXIT.done;
  }
  await writeOutput(worth.map((info) => `${row(info, options.all)}\n`).join(""));
  return EXIT.done;
}

const ID_CHARS = 8;

function row(info: SessionInfo, withPlace: boolean): string {
  const when = new Date(info.modifiedAt).toISOString().slice(0, 16).replace("T", " ");
  const mark = info.status === "open" ? "…" : " ";
  // The beginnings of time-ordered ids are alike; their ends are not.
  const place = withPlace ? `  ${info.cwd}` : "";
  return `${info.id.slice(-ID_CHARS)}  ${when} ${mark} ${info.name}${place}`;
}

async function show(store: SessionStore, wanted: string, format: string): Promise<ExitCode> {
  await using log = await store.openForReading(wanted);
  for (const repair of log.repairs) writeError(`${COMMAND}: ${repair.message}\n`);
  const session = await collectSession(log);
  if (format === "json") await writeOutput(exportJson(session));
  else if (format === "html") {
    const { exportHtml } = await import("../session/export/export-html.ts");
    await writeOutput(exportHtml(session));
  } else {
    const { exportMarkdown } = await import("../session/export/export-markdown.ts");
    await writeOutput(exportMarkdown(session));
  }
  return EXIT.done;
}

async function remove(store: SessionStore, wanted: readonly string[]): Promise<ExitCode> {
  if (wanted.length === 0)
    throw new UsageError("name a session", usageLine(findCommand("sessions")!));
  // All are found before any is removed.
  const paths = await Promise.all(wanted.map((name) => findSession(name, store.places)));
  for (const path of paths) {
    // Whoever has it open is told by the lock; a session in use is not removed under it.
    await using _log = await store.open({ kind: "resume", wanted: path });
    await rm(path.replace(/\.jsonl$/, ""), { recursive: true, force: true });
    await rm(path);
    await writeOutput(`removed ${path}\n`);
  }
  return EXIT.done;
}

async function collectGarbage(store: SessionStore): Promise<ExitCode> {
  const { removeOrphanBlobs } = await import("../session/listing/orphan-blobs.ts");
  const { removed, bytes } = await removeOrphanBlobs(store);
  await writeOutput(`removed ${removed} images that no session has, ${bytes} bytes\n`);
  return EXIT.done;
}

function oneOf(names: readonly string[]): string {
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) {
    throw new UsageError("name one session", usageLine(findCommand("sessions")!));
  }
  return name;
}
