// The sandbox of one session: what everything that the model starts is confined to, for as long as the
// session lasts. It is made once, when it is first needed, and what it keeps is known from trying. If it is
// wanted and cannot be had, nothing runs.

import { ToolError } from "@tau/agent/tool";
import type { MissedNetwork } from "@tau/host/process/process-wrapper";
import type { ReaderGiven } from "@tau/host/sandbox/confine-reader";
import type { ConfinedWork } from "@tau/host/sandbox/profiles";
import { weakPromises } from "@tau/host/sandbox/promises";
import type { ConfiningSandbox, Sandbox } from "@tau/host/sandbox/sandbox";
import { partKey } from "../base/part.ts";
import { UserError } from "../user-error.ts";

export type SandboxNetwork = "on" | "off";

/** As it was found, not as it was meant. */
export type SandboxStatus =
  | { state: "checking" }
  | {
      state: "in_force";
      kind: ConfiningSandbox["kind"];
      network: SandboxNetwork;
      /** What this kind does not keep, in words. */
      weak: readonly string[];
    }
  | { state: "missing"; why: string; fix: string };

const NO_NETWORK = "the sandbox has none; only the user can let it in, with /sandbox network on";

export interface ConfinementOptions {
  network: SandboxNetwork;
  /** Throws `UserError` if the settings make no sense. */
  make(network: SandboxNetwork): Promise<Sandbox>;
}

/** The session's; absent if no sandbox is wanted. Nobody from outside changes it. */
export const CONFINEMENT = partKey<Confinement>("confinement", {
  viewOf: ({ status }) => ({ status }),
});

export class Confinement {
  readonly #options: ConfinementOptions;
  #network: SandboxNetwork;
  #opening: Promise<Sandbox> | undefined;
  #status: SandboxStatus = { state: "checking" };
  #generation = 0;
  #note: string | undefined;
  /** That there is no network, to somebody whose commands do not show whether they want one. */
  #isTold = false;
  /** Heard when the status is another. */
  onChange: (() => void) | undefined;

  constructor(options: ConfinementOptions) {
    this.#options = options;
    this.#network = options.network;
  }

  get status(): SandboxStatus {
    return this.#status;
  }

  /** Another one since what was started under the last one has to be started anew. */
  get generation(): number {
    return this.#generation;
  }

  /** For the rest of the session. */
  async setNetwork(network: SandboxNetwork): Promise<void> {
    if (network !== this.#network) {
      this.#network = network;
      this.#generation += 1;
      this.#opening = undefined;
      this.#tell({ state: "checking" });
    }
    await this.check();
  }

  /** Finds out what is in force. */
  async check(): Promise<SandboxStatus> {
    const opening = (this.#opening ??= this.#options.make(this.#network).catch(settingsProblem));
    const sandbox = await opening.catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    if (opening !== this.#opening) return this.#status;
    if (sandbox.kind === "none") {
      // What is missing may be there the next time.
      this.#opening = undefined;
      this.#tell({ state: "missing", why: sandbox.why, fix: sandbox.fix });
    } else {
      const { kind, promises } = sandbox;
      const { network } = promises;
      this.#tell({ state: "in_force", kind, network, weak: weakPromises(promises) });
    }
    return this.#status;
  }

  /** Throws `UserError` if it cannot be had. */
  async open(): Promise<ConfiningSandbox> {
    const status = await this.check();
    const sandbox = await this.#opening;
    if (sandbox !== undefined && sandbox.kind !== "none") return sandbox;
    const { why, fix } =
      status.state === "missing" ? status : { why: "it is being made", fix: "try again" };
    throw new UserError(`the sandbox is not available: ${why}; ${fix}`);
  }

  /** The command, confined for its kind of work. Throws `ToolError` if that cannot be had. */
  async sandboxed(argv: readonly string[], work: ConfinedWork): Promise<string[]> {
    return (await this.open().catch(refuse)).wrap(argv, work);
  }

  /** For programs of Tau's own that read what others have made. */
  readonly confineReader = async (argv: readonly string[], given: ReaderGiven): Promise<string[]> =>
    this.sandboxed(argv, { profile: "reader", ...given });

  /** A command has failed; if that may be for want of a network, it is said what to do. */
  noteFailure(missed: MissedNetwork | undefined): void {
    if (missed === "yes") this.#note = `this wanted the network, and ${NO_NETWORK}`;
    else if (missed === "unknown" && !this.#isTold) {
      this.#isTold = true;
      this.#note = `if this wanted the network: ${NO_NETWORK}`;
    }
  }

  /** What is to be said with the next result, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  #tell(status: SandboxStatus): void {
    const isSame = JSON.stringify(status) === JSON.stringify(this.#status);
    this.#status = status;
    if (!isSame) this.onChange?.();
  }
}

function settingsProblem(error: unknown): Sandbox {
  if (!(error instanceof UserError)) throw error;
  return { kind: "none", why: error.message, fix: "correct the setting" };
}

function refuse(error: unknown): never {
  if (error instanceof UserError) throw new ToolError(`Not run: ${error.message}`);
  throw error;
}
