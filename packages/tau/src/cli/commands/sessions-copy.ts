// tau sessions fork, branch, import, move: a session somewhere else, or twice.

import { resolve } from "node:path";
import { existsSync } from "node:fs";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { findEntry } from "../../session/listing/find-entry.ts";
import { findSession } from "../../session/listing/find-session.ts";
import { canonicalPath, isGone, sameDirectory } from "../../base/same-directory.ts";
import { readStored } from "../../session/log/stored-session.ts";
import type { CopyTarget } from "../../session/operations/copy-target.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { UserError } from "../../user-error.ts";
import {
  attempted,
  directoryArgument,
  noMore,
  sessionArgument,
  shortId,
  tell,
  tellRepairs,
  wrong,
} from "./sessions-arguments.ts";

type Flags = ParsedArgs["flags"];

export async function fork(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("fork", args);
  noMore("fork", args, 1);
  const path = await findSession(wanted, store.places);
  const { forkSession } = await import("../../session/operations/fork-session.ts");
  const copied = await attempted(path, async () =>
    forkSession({ path }, await targetFor(store, flags, path), store.surroundings),
  );
  await using log = copied.log;
  tellRepairs(copied.repairs);
  await tell(
    flags,
    `forked ${shortId(log.header.parentSession!)}: ${goOn(store, log)}`,
    facts(log),
  );
  return EXIT.done;
}

export async function branch(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("branch", args);
  noMore("branch", args, 2);
  const [, entry] = args;
  if (!entry) throw wrong("branch", "name the entry to branch from; see tau sessions tree");
  const path = await findSession(wanted, store.places);
  const { branchSession } = await import("../../session/operations/branch-session.ts");
  const branched = await attempted(path, async () => {
    const stored = await readStored(path, store.surroundings);
    const entryId = await findEntry(stored.entries(), entry);
    const target = await targetFor(store, flags, path);
    return branchSession({ path }, entryId, target, store.surroundings);
  });
  await using log = branched.log;
  tellRepairs(branched.repairs);
  const { editorText } = branched;
  const text = `branched ${shortId(log.header.parentSession!)}: ${goOn(store, log)}`;
  const words = editorText === undefined ? "" : `\n\nThe prompt at that point:\n\n${editorText}`;
  await tell(flags, text + words, {
    ...facts(log),
    editorText,
  });
  return EXIT.done;
}

export async function repair(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const path = resolve(sessionArgument("repair", args));
  noMore("repair", args, 1);
  if (!existsSync(path)) throw new UserError(`${path} does not exist`, EXIT.usage);
  const cwd = typeof flags.to === "string" ? directoryArgument(flags.to) : store.places.cwd;
  const { repairSession } = await import("../../session/operations/repair-session.ts");
  const repaired = await attempted(path, () => repairSession(path, cwd, store.surroundings));
  tellRepairs(repaired.repairs);
  const { id, aside, entries } = repaired;
  const words = `repaired ${shortId(id)} with ${entries} entries: ${COMMAND} --resume ${shortId(id)} goes on; the damaged file is ${aside}`;
  await tell(flags, words, { ...repaired, repairs: repaired.repairs.length });
  return EXIT.done;
}

export async function move(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const wanted = sessionArgument("move", args);
  noMore("move", args, 2);
  const [, directory] = args;
  if (!directory) throw wrong("move", "name the session's new directory");
  const cwd = directoryArgument(directory);
  const path = await findSession(wanted, store.places);
  const { moveSession } = await import("../../session/operations/move-session.ts");
  const target = { cwd, directory: store.directoryFor(cwd) };
  const moved = await attempted(path, () => moveSession(path, target, store.surroundings));
  await tell(flags, `moved to ${moved}`, { path: moved, cwd });
  return EXIT.done;
}

export async function importFile(
  store: SessionStore,
  flags: Flags,
  args: readonly string[],
): Promise<ExitCode> {
  const [file] = args;
  if (!file) throw wrong("import", "name a session file");
  noMore("import", args, 1);
  const path = resolve(store.places.cwd, file);
  if (!existsSync(path)) throw new UserError(`the file ${path} does not exist`, EXIT.usage);
  const { importSession } = await import("../../session/operations/import-session.ts");
  const imported = await attempted(path, async () => {
    const cwd = await importDirectory(store, flags, path);
    const target = {
      cwd,
      directory: store.directoryFor(cwd),
      sessionsDirectory: store.places.sessionsDirectory,
      identity: flags["new-id"] ? ("new" as const) : ("same" as const),
    };
    return importSession(path, target, store.surroundings);
  });
  tellRepairs(imported.repairs);
  const { header } = imported;
  const { id, cwd } = header;
  const text = `imported into ${cwd}: ${goOn(store, { header })}`;
  await tell(flags, text, { id, path: imported.path, cwd });
  return EXIT.done;
}

/** Where the original was, unless said otherwise. */
async function targetFor(store: SessionStore, flags: Flags, path: string): Promise<CopyTarget> {
  if (typeof flags.to === "string") {
    const cwd = directoryArgument(flags.to);
    return { cwd, directory: store.directoryFor(cwd) };
  }
  const { header } = await readStored(path, store.surroundings);
  const cwd = header.cwd === "" ? canonicalPath(store.places.cwd) : header.cwd;
  return { cwd, directory: store.directoryFor(cwd) };
}

/** Where it was, if there is such a directory on this machine, else here. */
async function importDirectory(store: SessionStore, flags: Flags, path: string): Promise<string> {
  if (typeof flags.to === "string") return directoryArgument(flags.to);
  const { header } = await readStored(path, store.surroundings);
  const isHere = header.cwd === "" || isGone(header.cwd);
  return canonicalPath(isHere ? store.places.cwd : header.cwd);
}

function goOn(store: SessionStore, { header }: Pick<SessionLog, "header">): string {
  const there = sameDirectory(header.cwd, store.places.cwd) ? "" : `-C ${header.cwd} `;
  return `${COMMAND} ${there}-r ${shortId(header.id)}`;
}

function facts({ header, path }: SessionLog): Record<string, unknown> {
  const { id, cwd, parentSession } = header;
  return { id, path, cwd, parentSession };
}
