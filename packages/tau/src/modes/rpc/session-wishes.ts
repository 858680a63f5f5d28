// What the client wants of every session of this connection, beyond the settings. Sessions come and
// go; what was set here is set again for each.

import type { HookHandlers, HookOwner } from "@tau/agent/hooks";
import type { QueueMode } from "@tau/agent/mailbox";
import { COMPACTION_ROWS } from "../../features/compaction/settings.ts";
import type { Settings } from "../../config/settings.ts";
import { RETRY_ROWS } from "../../model/model-setting-rows.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import { SESSION_ROWS } from "../../session/session-settings.ts";
import { RpcError } from "./protocol.ts";

export type InterruptMode = "immediate" | "wait";

/** What a client may take away for a while; what the settings leave out it cannot add. */
export type Automatism = "compaction" | "retry";

const SWITCHED_OFF = "The client has switched this off.";

export class SessionWishes {
  readonly #stopped = new Set<Automatism>();
  #steering: QueueMode | undefined;
  #followUps: QueueMode | undefined;
  #interrupt: InterruptMode | undefined;

  /** Behind all behaviours: what they decide, this may leave out. */
  get hooks(): { owner: HookOwner; handlers: HookHandlers } {
    return {
      owner: { kind: "behaviour", name: "rpc", order: 1000 },
      handlers: {
        session_before_compact: ({ reason }) =>
          reason !== "manual" && this.#stopped.has("compaction")
            ? { cancel: true, reason: SWITCHED_OFF }
            : undefined,
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

  /** To the session that is the current one now. */
  applyTo({ session: { mailbox } }: ActiveSession): void {
    mailbox.steering = this.#steering ?? mailbox.steering;
    mailbox.followUps = this.#followUps ?? mailbox.followUps;
  }
}

function isSet(what: Automatism, settings: Settings): boolean {
  if (what === "retry") return settings.group(RETRY_ROWS).enabled;
  const { enabled, strategy } = settings.group(COMPACTION_ROWS);
  return enabled && strategy !== "off";
}
