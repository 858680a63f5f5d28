// Modules that extensions import and that Tau itself answers: its own author's kit, the packages of the
// family whose extensions load here, and the schema libraries that these expect to be there. Nothing of
// them is loaded before an extension asks for it.

import { FAMILY_SHIMS } from "./family-shims.ts";

/** What a module exports, by name. */
export type ShimExports = Record<string, unknown>;
export type Shims = Readonly<Record<string, () => Promise<ShimExports>>>;

const OWN_SHIMS: Shims = {
  "@tau/extension": () => import("../author/kit.ts"),
  "@tau/extension/zod": () => import("zod/v4"),
};

let isInstalled = false;

/** What only some commands can answer: those that stand above this folder. */
export function addShim(name: string, load: () => Promise<ShimExports>): void {
  Bun.plugin({
    name,
    setup: (build) => {
      build.module(name, async () => ({ exports: { ...(await load()) }, loader: "object" }));
    },
  });
}

/** Once in a process: the table is the same for every session. */
export function installShims(): void {
  if (isInstalled) return;
  isInstalled = true;
  // An executable's own name for its first module is no file; programs look at it as if it were.
  if (process.argv[1]?.startsWith("/$bunfs/")) process.argv[1] = process.execPath;
  for (const [name, load] of Object.entries({ ...OWN_SHIMS, ...FAMILY_SHIMS })) {
    addShim(name, load);
  }
}

/** For messages: the names that can be imported. */
export function shimNames(): string[] {
  return Object.keys({ ...OWN_SHIMS, ...FAMILY_SHIMS });
}
