// What the client wants of every session of this connection, beyond the settings. Sessions come and
// go; what was set here is set again for each.

import type { HookHandlers, HookOwner } from "@tau/agent/hooks";
import type { QueueMode } from "@tau/agent/mailbox";
import type { ProtocolCommand } from "../../feature-api/protocol.ts";
import type { Settings } from "../../config/settings.ts";
import { RETRY_ROWS } from "../../model/model-setting-rows.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import { SESSION_ROWS } from "../../session/session-settings.ts";
import { RpcError } from "./protocol.ts";

export type InterruptMode = "immediate" | "wait";

/** What a client may take away for a while; what the settings leave out it cannot add. */
export type Automatism = "retry";

export class SessionWishes {
  readonly #stopped = new Set<Automatism>();
  readonly #lasting = new Map<ProtocolCommand, unknown>();
  readonly #report: (error: unknown) => void;
  #steering: QueueMode | undefined;
  #followUps: QueueMode | undefined;
  #interrupt: InterruptMode | undefined;

  constructor(report: (error: unknown) => void = () => {}) {
    this.#report = report;
  }

  /** After all features: what they decide, this may leave out. */
  get hooks(): { owner: HookOwner; handlers: HookHandlers } {
    return {
      owner: { kind: "behaviour", name: "rpc", order: 1000 },
      handlers: {
        failure: ({ failure }) =>
          failure.retryable && this.#stopped.has("retry") ? { type: "give_up" } : undefined,
      },
    };
  }

  isOn(what: Automatism, settings: Settings): boolean {
    return isSet(what, settings) && !this.#stopped.has(what);
  }

  /** Throws an `RpcError` where the settings are against it. */
  turn(what: Automatism, wanted: "on" | "off", settings: Settings): void {
    if (wanted === "off") this.#stopped.add(what);
    else if (isSet(what, settings)) this.#stopped.delete(what);
    else {
      const key = `${what}.enabled`;
      throw new RpcError("unsupported", `${key} is off in the settings; start with it on`);
    }
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
      // A session that cannot have it goes on without: the client was told when it asked.
      command.run(session, params).catch((error: unknown) => this.#report(error));
    }
    mailbox.steering = this.#steering ?? mailbox.steering;
    mailbox.followUps = this.#followUps ?? mailbox.followUps;
  }
}

function isSet(_what: Automatism, settings: Settings): boolean {
  return settings.group(RETRY_ROWS).enabled;
}
