// Where Tau's own packages are looked for, upwards: what is loaded from there runs in Tau. From source
// that is this file's place; a checkout's executable lies among the packages of its checkout. Any
// other executable has what it needs inside, and may lie anywhere, in a stranger's clone too.

import { basename, dirname } from "node:path";

/** As scripts/checkout/build.ts puts it. */
const CHECKOUT_HOME = ".tau";
const CHECKOUT_BUILD = "build-";

/** Undefined in an executable that is not a checkout's. */
export function ownPlace(): string | undefined {
  if (!Bun.isStandaloneExecutable) return import.meta.dir;
  const place = dirname(process.execPath);
  const home = dirname(place);
  const isCheckout =
    basename(place).startsWith(CHECKOUT_BUILD) &&
    basename(home) === CHECKOUT_HOME &&
    basename(dirname(home)) === "node_modules";
  return isCheckout ? place : undefined;
}
