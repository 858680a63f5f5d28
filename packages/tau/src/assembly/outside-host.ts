// What a feature from outside has to work with: as a built-in one, but its handlers stand where
// extensions do, it looks at what is the user's to decide without changing it, what it writes into the
// log is looked at first, and what it shows goes away with it.

import type { HookOwner } from "@tau/agent/hooks";
import type { PartKey } from "../base/part.ts";
import type { FeatureHost } from "../feature-api/feature.ts";
import type { AskedTime } from "../extend/asked-time.ts";
import { ownedInterface, type Ownership } from "../extend/owned-interface.ts";
import { NOBODY, type UserInterface } from "../feature-api/user-interface.ts";
import { entryProblem } from "../session/check-entry.ts";
import type { SessionHooks, SessionHost } from "../session/session-host.ts";

export interface OutsideHost {
  readonly host: FeatureHost;
  /** What it has put up goes away, and what it asks is withdrawn. */
  leave(): void;
}

export function hostForOutside(host: FeatureHost, feature: string, asked: AskedTime): OutsideHost {
  const failed = (error: unknown): void =>
    host.notify({ type: "hook_error", behaviour: feature, hook: "drawing", error });
  const own = host.ui === NOBODY ? undefined : interfaceFor(host, { name: feature, asked, failed });
  const part = <T>(key: PartKey<T>): T | undefined => viewed(key, host.part(key));
  const parts: Pick<SessionHost, "hooks" | "part" | "need" | "append"> & Pick<FeatureHost, "ui"> = {
    ui: own?.ui ?? NOBODY,
    hooks: hooksFor(host.hooks, { kind: "extension", name: feature, person: asked }),
    part,
    need: (key) => viewed(key, host.need(key)),
    append: async (entries) => {
      const problem = entryProblem(entries);
      if (problem !== undefined) {
        throw new TypeError(`the feature ${feature} cannot write this into the log: ${problem}`);
      }
      await host.append(entries);
    },
  };
  const guarded: FeatureHost = Object.create(host, Object.getOwnPropertyDescriptors(parts));
  return { host: guarded, leave: () => own?.leave() };
}

function interfaceFor(
  { ui: shared, session }: FeatureHost,
  owner: Omit<Ownership, "stopped">,
): { ui: UserInterface; leave(): void } {
  let run = new AbortController();
  const unsubscribe = session.subscribe((event) => {
    if (event.type !== "agent_end" || event.end.reason !== "aborted") return;
    run.abort();
    run = new AbortController();
  }, "part");
  const stopped = (): AbortSignal | undefined => (session.isBusy ? run.signal : undefined);
  const ui = ownedInterface(shared, { ...owner, stopped });
  return {
    ui,
    leave() {
      unsubscribe();
      ui[Symbol.dispose]();
    },
  };
}

/** Its own name and the extensions' place, whatever it says; of the others' handlers it sees none. */
function hooksFor(hooks: SessionHooks, owner: HookOwner): SessionHooks {
  return {
    join: () => hooks.join(owner),
    register: (_said, handlers) => hooks.register(owner, handlers),
    has: (hook) => hooks.has(hook),
    at: (hook) =>
      hooks.at(hook).filter(({ owner: { kind, name: whose } }) => {
        return kind === "extension" && whose === owner.name;
      }),
  };
}

/** What a view leaves out is not there for it: the type promises more than outsiders get. */
function viewed<T, U extends T | undefined>(key: PartKey<T>, part: U): U {
  return part === undefined || !key.viewOf ? part : (key.viewOf(part as T) as U);
}
