// The shells that a session's commands run in: one pool that is opened by the first command, what
// they are confined to, and what is remembered of them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { ShellDefinition } from "@tau/host/shell-line/shell-context";
import type { ShellPool } from "@tau/host/shell/shell-pool";
import type { ShellWrapper } from "@tau/host/shell/shell-session";
import { temporaryDirectory } from "../config/places.ts";
import type { BashSettings, InterceptorSettings } from "./bash/settings.ts";
import { ShellMemory } from "./bash/shell-memory.ts";
import type { ShowTerminal } from "./bash/show-terminal.ts";
import type { UserRc } from "./bash/user-rc.ts";

/** What commands run in, if they are confined. */
export interface Confinement {
  shellWrapper(): ShellWrapper;
}

export interface ShellsPlace {
  cwd: string;
  home: string;
  env: Environment;
  agentDirectory: string;
  settings: BashSettings;
  interceptor: InterceptorSettings;
  /** Directories of Tau's own that commands may write to, however they are confined. */
  writable: readonly string[];
}

export class AgentShells implements AsyncDisposable {
  readonly place: ShellsPlace;
  /** What commands have done to the meaning of later ones, whoever ran them. */
  readonly memory = new ShellMemory();
  /** Confines the commands; they may also write where it is told. Unconfined if absent. */
  confine: ((writable: readonly string[]) => Promise<Confinement | undefined>) | undefined;
  /** Shows a program's terminal to a person; absent if nobody sits at one. */
  showTerminal: ShowTerminal | undefined;
  #pool: Promise<ShellPool> | undefined;
  #userRc: UserRc | undefined;

  constructor(place: ShellsPlace) {
    this.place = place;
  }

  get settings(): BashSettings {
    return this.place.settings;
  }

  get interceptor(): InterceptorSettings {
    return this.place.interceptor;
  }

  /** The first shell is started by the first command. */
  open(): Promise<ShellPool> {
    // What could not be opened is not kept: the next command tries again, and the end of the
    // session has nothing to close.
    this.#pool ??= this.#start().catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    return this.#pool;
  }

  /** Where the next command runs. */
  async directory(): Promise<string> {
    return (await this.#pool)?.cwd ?? this.place.cwd;
  }

  /** Names that the user's own startup file has given another meaning. */
  get rcNames(): ReadonlySet<string> {
    return this.#userRc?.loaded?.names ?? new Set();
  }

  /** What the other names of that file stand for. */
  get rcDefinitions(): ReadonlyMap<string, ShellDefinition> {
    return this.#userRc?.loaded?.definitions ?? new Map();
  }

  /** What is to be said about that file, once. */
  takeRcNote(): string | undefined {
    return this.#userRc?.takeNote();
  }

  async #start(): Promise<ShellPool> {
    const { openShells } = await import("./bash/open-shells.ts");
    const { place } = this;
    const stateDirectory = join(temporaryDirectory(place.env), `tau-shell-${crypto.randomUUID()}`);
    const confinement = await this.#confinement([stateDirectory, ...place.writable]);
    const wrapper = confinement?.shellWrapper();
    const opened = await openShells({ place, stateDirectory, wrapper });
    this.#userRc = opened.userRc;
    return opened.shells;
  }

  async #confinement(writable: readonly string[]): Promise<Confinement | undefined> {
    if (!this.confine) return undefined;
    for (const path of writable) await mkdir(path, { recursive: true, mode: 0o700 });
    return this.confine(writable);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#pool)?.[Symbol.asyncDispose]();
  }
}
