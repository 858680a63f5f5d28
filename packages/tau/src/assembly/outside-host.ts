// What a feature from outside has to work with: as a built-in one, but its handlers stand where
// extensions do, it looks at what is the user's to decide without changing it, and what it writes into
// the log is looked at first.

import type { HookOwner } from "@tau/agent/hooks";
import type { PartKey } from "../base/part.ts";
import type { FeatureHost } from "../feature-api/feature.ts";
import { entryProblem } from "../session/check-entry.ts";
import type { SessionHooks, SessionHost } from "../session/session-host.ts";

export function hostForOutside(host: FeatureHost, feature: string): FeatureHost {
  const part = <T>(key: PartKey<T>): T | undefined => viewed(key, host.part(key));
  const own: Pick<SessionHost, "hooks" | "part" | "need" | "append"> = {
    hooks: hooksFor(host.hooks, feature),
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
  const guarded: FeatureHost = Object.create(host, Object.getOwnPropertyDescriptors(own));
  return guarded;
}

/** Its own name and the extensions' place, whatever it says; of the others' handlers it sees none. */
function hooksFor(hooks: SessionHooks, name: string): SessionHooks {
  const owner: HookOwner = { kind: "extension", name };
  return {
    join: () => hooks.join(owner),
    register: (_said, handlers) => hooks.register(owner, handlers),
    has: (hook) => hooks.has(hook),
    at: (hook) =>
      hooks.at(hook).filter(({ owner: { kind, name: whose } }) => {
        return kind === "extension" && whose === name;
      }),
  };
}

/** What a view leaves out is not there for it: the type promises more than outsiders get. */
function viewed<T, U extends T | undefined>(key: PartKey<T>, part: U): U {
  return part === undefined || !key.viewOf ? part : (key.viewOf(part as T) as U);
}
