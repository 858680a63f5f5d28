// What the client wants of every session of this connection, beyond the settings. Sessions come and
// go; what was set here is set again for each.

import type { QueueMode } from "@tau/agent/mailbox";
import { Unsupported, type ProtocolCommand } from "../../feature-api/protocol.ts";
import type { Settings } from "../../config/settings.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import { SESSION_ROWS } from "../../session/session-settings.ts";
import { RpcError } from "./protocol.ts";

export type InterruptMode = "immediate" | "wait";

export class SessionWishes {
  readonly #lasting = new Map<ProtocolCommand, unknown>();
  readonly #report: (error: unknown) => void;
  #steering: QueueMode | undefined;
  #followUps: QueueMode | undefined;
  #interrupt: InterruptMode | undefined;

  constructor(report: (error: unknown) => void = () => {}) {
    this.#report = report;
  }

  interruptMode(settings: Settings): InterruptMode {
    return this.#interrupt ?? settings.group(SESSION_ROWS).interruptMode;
  }

  setInterruptMode(mode: InterruptMode, settings: Settings): void {
    if (mode === "immediate" && settings.group(SESSION_ROWS).interruptMode === "wait") {
      throw new RpcError(
        "unsupported",
        "interruptMode is wait in the settings; start with it at immediate",
      );
    }
    this.#interrupt = mode;
  }

  setQueueMode(which: "steering" | "followUps", mode: QueueMode, active: ActiveSession): void {
    if (which === "steering") this.#steering = mode;
    else this.#followUps = mode;
    this.applyTo(active);
  }

  /** A command of a feature that is to be said again to later sessions. */
  keep(command: ProtocolCommand, params: unknown): void {
    this.#lasting.set(command, params);
  }

  /** To the session that is the current one now. */
  applyTo({ session }: ActiveSession): void {
    const { mailbox } = session;
    for (const [command, params] of this.#lasting) {
      const { signal } = new AbortController();
      command.run(session, params, { signal }).catch((error: unknown) => {
        // A session that cannot have it goes on without it.
        if (!(error instanceof Unsupported)) this.#report(error);
      });
    }
    mailbox.steering = this.#steering ?? mailbox.steering;
    mailbox.followUps = this.#followUps ?? mailbox.followUps;
  }
}
