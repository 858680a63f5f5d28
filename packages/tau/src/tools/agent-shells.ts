// The shells that a session's commands run in: one pool that is opened by the first command, what
// they are confined to, and what is remembered of them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { ShellDefinition } from "@tau/host/shell-line/shell-context";
import type { ShellPool } from "@tau/host/shell/shell-pool";
import type { ProcessWrapper } from "@tau/host/process/process-wrapper";
import { temporaryDirectory } from "../config/places.ts";
import type { BashSettings, InterceptorSettings } from "./bash/settings.ts";
import type { Confinement } from "./confinement.ts";
import { ShellMemory } from "./bash/shell-memory.ts";
import type { ShowTerminal } from "./bash/show-terminal.ts";
import type { UserRc } from "./bash/user-rc.ts";

export interface ShellsPlace {
  cwd: string;
  home: string;
  env: Environment;
  agentDirectory: string;
  settings: BashSettings;
  interceptor: InterceptorSettings;
  /** Directories of Tau's own that commands may write to, however they are confined. */
  writable: readonly string[];
  /** What they run in, also without a sandbox: the namespace of a tree of their own. */
  enter?: ProcessWrapper;
}

export class AgentShells implements AsyncDisposable {
  readonly place: ShellsPlace;
  /** What commands have done to the meaning of later ones, whoever ran them. */
  readonly memory = new ShellMemory();
  /** Confines the commands. Unconfined if absent. */
  confinement: Confinement | undefined;
  /** Shows a program's terminal to a person; absent if nobody sits at one. */
  showTerminal: ShowTerminal | undefined;
  #pool: Promise<ShellPool> | undefined;
  /** Those of a sandbox that is another by now; jobs go on in them. */
  readonly #earlier: Promise<ShellPool>[] = [];
  #generation: number | undefined;
  #note: string | undefined;
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
    const generation = this.confinement?.generation;
    if (this.#pool && generation !== this.#generation) this.#leavePool();
    this.#generation = generation;
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

  /** What is to be said about the shell itself, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  #leavePool(): void {
    this.#earlier.push(this.#pool!);
    this.#pool = undefined;
    this.#note =
      "the sandbox has changed, and with it the shell: variables and the directory are as at the beginning";
  }

  async #start(): Promise<ShellPool> {
    const { openShells } = await import("./bash/open-shells.ts");
    const { place } = this;
    const stateDirectory = join(temporaryDirectory(place.env), `tau-shell-${crypto.randomUUID()}`);
    const wrapper = await this.#wrapper([stateDirectory, ...place.writable]);
    const opened = await openShells({ place, stateDirectory, wrapper });
    this.#userRc = opened.userRc;
    return opened.shells;
  }

  async #wrapper(writable: readonly string[]): Promise<ProcessWrapper | undefined> {
    if (!this.confinement) return this.place.enter;
    for (const path of writable) await mkdir(path, { recursive: true, mode: 0o700 });
    const sandbox = await this.confinement.open();
    return sandbox.wrapper({ profile: "commands", writes: writable });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = await Promise.all([...this.#earlier, this.#pool]);
    await Promise.all(pools.map((pool) => pool?.[Symbol.asyncDispose]()));
  }
}
