// Where sessions live, and how a run comes by its log: a new one, the one this terminal was
// last in, one that the user names, or none on disk at all.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { createDiskStorage } from "@tau/host/storage";
import { agentDirectory, homeOf, temporaryDirectory } from "../config/places.ts";
import { COMMAND } from "../brand.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import { dropBreadcrumb, findBreadcrumb, terminalId } from "./listing/breadcrumb.ts";
import {
  elsewhereError,
  findElsewhere,
  type Elsewhere,
  type ElsewhereChoice,
} from "./listing/elsewhere.ts";
import {
  findSession,
  isSessionPath,
  latestSession,
  type SessionPlaces,
} from "./listing/find-session.ts";
import { canonicalPath, isGone } from "../base/same-directory.ts";
import { createBlobStore } from "./log/blob-store.ts";
import { createMemorySession, createSessionLog, openSession } from "./log/open-session.ts";
import { lockPathOf } from "./log/session-lock.ts";
import { blobDirectory, sessionDirectory } from "./log/session-path.ts";
import type { SessionSurroundings } from "./log/session-surroundings.ts";
import { NotASession, SessionLocked, type LogRepair, type SessionLog } from "./session-log.ts";

export type SessionWish =
  | { kind: "new" }
  | { kind: "continue" }
  | { kind: "resume"; wanted: string }
  /** Nothing on disk. */
  | { kind: "memory" };

export interface SessionStoreOptions {
  env: Environment;
  cwd: string;
  /** The terminal's device, where it is known. */
  tty?: string;
  /** Asks whoever is there; without it, a session of another directory is refused. */
  whenElsewhere?: (found: Elsewhere) => Promise<ElsewhereChoice>;
}

/** Where a wish leads: to a file, or to a log that is open already. */
type Found = { path: string; known?: LogRepair[] } | { log: SessionLog } | undefined;

export class SessionStore {
  readonly agentDirectory: string;
  readonly places: SessionPlaces;
  readonly surroundings: SessionSurroundings;
  readonly #cwd: string;
  readonly #options: SessionStoreOptions;
  readonly #terminal: string | undefined;

  constructor(options: SessionStoreOptions) {
    const { env, cwd } = options;
    this.#options = options;
    this.agentDirectory = agentDirectory(env);
    this.#cwd = canonicalPath(cwd);
    this.places = {
      cwd,
      directory: this.directoryFor(this.#cwd),
      sessionsDirectory: join(this.agentDirectory, "sessions"),
    };
    const storage = createDiskStorage();
    const blobs = createBlobStore(storage, blobDirectory(this.agentDirectory));
    this.surroundings = { storage, blobs };
    this.#terminal = terminalId(env, options.tty);
  }

  /** Where the sessions of a project are. */
  directoryFor(cwd: string): string {
    const { env } = this.#options;
    return sessionDirectory({
      agentDirectory: this.agentDirectory,
      cwd: canonicalPath(cwd),
      home: canonicalPath(homeOf(env)),
      tmp: canonicalPath(temporaryDirectory(env)),
    });
  }

  async open(wish: SessionWish): Promise<SessionLog> {
    if (wish.kind === "memory") return createMemorySession({ cwd: this.#cwd });
    const found = await this.#find(wish);
    const log = found === undefined ? await this.#create() : await this.#resume(found);
    this.entered(log);
    return log;
  }

  /** From now on "continue" means this one at this terminal; also if it was made elsewhere, as a fork is. */
  entered({ path: sessionPath }: Pick<SessionLog, "path">): void {
    if (this.#terminal === undefined || sessionPath === undefined) return;
    dropBreadcrumb(this.agentDirectory, this.#terminal, { cwd: this.#cwd, sessionPath });
  }

  /** Closes a log, and removes its file where it holds nothing yet. */
  async withdraw(log: SessionLog): Promise<void> {
    const { path, leafId } = log;
    await log.close();
    if (path === undefined || leafId !== null) return;
    await this.surroundings.storage.remove(path, { point: "session.withdraw" });
  }

  /** Changes nothing and needs no lock. */
  async openForReading(wanted: string): Promise<SessionLog> {
    const path = await findSession(wanted, this.places);
    return explained(path, () => openSession(path, { ...this.surroundings, mode: "read" }));
  }

  /** For a change to a session that the user names, wherever it belongs. */
  async openForWriting(wanted: string): Promise<SessionLog> {
    return this.#resume({ path: await findSession(wanted, this.places) });
  }

  async #find(wish: Exclude<SessionWish, { kind: "memory" }>): Promise<Found> {
    if (wish.kind === "new") return undefined;
    if (wish.kind === "continue") return this.#continued();
    const path = await findSession(wish.wanted, this.places);
    // Whoever names a file means that file.
    return isSessionPath(wish.wanted) ? { path } : this.#named(path);
  }

  /** This terminal's own session, or the newest of this directory. */
  async #continued(): Promise<Found> {
    const crumb =
      this.#terminal === undefined
        ? undefined
        : findBreadcrumb(this.agentDirectory, this.#terminal);
    const isThere = crumb !== undefined && existsSync(crumb.sessionPath);
    if (isThere && crumb.cwd === this.#cwd) return { path: crumb.sessionPath };
    const latest = await latestSession(this.places);
    if (latest && "damaged" in latest) {
      throw new UserError(
        `the newest session of this directory cannot be read, because its beginning is damaged; ` +
          `${COMMAND} sessions repair ${latest.damaged} rebuilds it, and --resume opens another one`,
      );
    }
    if (latest) return latest;
    // The directory that this terminal worked in was renamed, and nothing was begun in this
    // one: it is the same project under another name.
    return isThere && isGone(crumb.cwd) ? this.#takeHere(crumb.sessionPath, crumb.cwd) : undefined;
  }

  async #named(path: string): Promise<Found> {
    const elsewhere = await explained(path, () =>
      findElsewhere(path, this.#cwd, this.surroundings),
    );
    if (!elsewhere) return { path };
    const choice = await this.#options.whenElsewhere?.(elsewhere);
    if (choice === "move") return this.#takeHere(path, elsewhere.cwd);
    if (choice === "fork") {
      const { forkSession } = await import("./operations/fork-session.ts");
      const target = { directory: this.places.directory, cwd: this.#cwd };
      return explained(path, () => forkSession({ path }, target, this.surroundings));
    }
    if (choice === "cancel") {
      throw new UserError("nothing was resumed: the session belongs to another directory");
    }
    throw elsewhereError(elsewhere);
  }

  async #takeHere(path: string, before: string): Promise<Found> {
    const { moveSession } = await import("./operations/move-session.ts");
    const target = { directory: this.places.directory, cwd: this.#cwd };
    const moved = await explained(path, async () => {
      // A file of an older format stays where it is; its successor is what goes on.
      const log = await this.#resume({ path });
      await log.close();
      return moveSession(log.path!, target, this.surroundings);
    });
    const message = `The session was moved here from ${before}, which no longer exists.`;
    return { path: moved, known: [{ kind: "moved", message }] };
  }

  #create(): Promise<SessionLog> {
    const place = { directory: this.places.directory };
    return createSessionLog({ ...this.surroundings, place, cwd: this.#cwd });
  }

  async #resume(found: Exclude<Found, undefined>): Promise<SessionLog> {
    if ("log" in found) return found.log;
    const { path, known = [] } = found;
    const options = { ...this.surroundings, mode: "write", known } as const;
    return explained(path, () => openSession(path, options));
  }
}

/** What keeps a session from being used is the user's to know, in one sentence. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionLocked) {
      const { pid, host } = error.holder;
      const lock = lockPathOf(path);
      throw new UserError(
        pid === 0
          ? `the lock of this session is being written, or damaged; try again in a few seconds, or remove ${lock}`
          : `this session is open in another Tau (process ${pid} on ${host}); close it there first, or remove ${lock} if that process no longer runs`,
      );
    }
    if (error instanceof NotASession) throw new UserError(`${path}: ${error.message}`, EXIT.usage);
    throw error;
  }
}
