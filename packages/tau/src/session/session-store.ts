// Where sessions live, and how a run comes by its log: a new one, the one this terminal was
// last in, one that the user names, or none on disk at all.

import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { createDiskStorage } from "@tau/host/storage";
import { agentDirectory, homeOf, temporaryDirectory } from "../config/places.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import { dropBreadcrumb, findBreadcrumb, terminalId } from "./listing/breadcrumb.ts";
import { findSession, latestSession, type SessionPlaces } from "./listing/find-session.ts";
import { createBlobStore } from "./log/blob-store.ts";
import { createMemorySession, createSession, openSession } from "./log/open-session.ts";
import { blobDirectory, sessionDirectory } from "./log/session-path.ts";
import type { SessionSurroundings } from "./log/session-surroundings.ts";
import { NotASession, SessionLocked, type SessionLog } from "./session-log.ts";

export type SessionWish =
  | { kind: "new" }
  | { kind: "continue" }
  | { kind: "resume"; wanted: string }
  /** Nothing on disk. */
  | { kind: "memory" };

export class SessionStore {
  readonly agentDirectory: string;
  readonly places: SessionPlaces;
  readonly surroundings: SessionSurroundings;
  readonly #cwd: string;
  readonly #terminal: string | undefined;

  constructor(options: { env: Environment; cwd: string; tty?: string }) {
    const { env, cwd } = options;
    this.agentDirectory = agentDirectory(env);
    this.#cwd = canonical(cwd);
    const place = {
      agentDirectory: this.agentDirectory,
      cwd: this.#cwd,
      home: canonical(homeOf(env)),
      tmp: canonical(temporaryDirectory(env)),
    };
    this.places = {
      cwd,
      directory: sessionDirectory(place),
      sessionsDirectory: join(this.agentDirectory, "sessions"),
    };
    const storage = createDiskStorage();
    const blobs = createBlobStore(storage, blobDirectory(this.agentDirectory));
    this.surroundings = { storage, blobs };
    this.#terminal = terminalId(env, options.tty);
  }

  async open(wish: SessionWish): Promise<SessionLog> {
    if (wish.kind === "memory") return createMemorySession({ cwd: this.#cwd });
    const path = await this.#pathFor(wish);
    const log = path === undefined ? await this.#create() : await this.#resume(path);
    if (this.#terminal !== undefined && log.path !== undefined) {
      const crumb = { cwd: this.#cwd, sessionPath: log.path };
      dropBreadcrumb(this.agentDirectory, this.#terminal, crumb);
    }
    return log;
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

  async #pathFor(wish: Exclude<SessionWish, { kind: "memory" }>): Promise<string | undefined> {
    if (wish.kind === "new") return undefined;
    if (wish.kind === "resume") return findSession(wish.wanted, this.places);
    const crumb =
      this.#terminal === undefined
        ? undefined
        : findBreadcrumb(this.agentDirectory, this.#terminal);
    const isOurs = crumb && crumb.cwd === this.#cwd && existsSync(crumb.sessionPath);
    return isOurs ? crumb.sessionPath : latestSession(this.places);
  }

  #create(): Promise<SessionLog> {
    const place = { directory: this.places.directory };
    return createSession({ ...this.surroundings, place, cwd: this.#cwd });
  }

  #resume(path: string): Promise<SessionLog> {
    return explained(path, () => openSession(path, { ...this.surroundings, mode: "write" }));
  }
}

/** What keeps a session from being opened is the user's to know, in one sentence. */
async function explained(path: string, open: () => Promise<SessionLog>): Promise<SessionLog> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof SessionLocked) {
      const { pid, host } = error.holder;
      throw new UserError(
        `this session is open in another Tau (process ${pid} on ${host}); close it there first`,
      );
    }
    if (error instanceof NotASession) throw new UserError(`${path}: ${error.message}`, EXIT.usage);
    throw error;
  }
}

/** Links resolved, so that a project is one project however it was entered. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return path;
    throw error;
  }
}
