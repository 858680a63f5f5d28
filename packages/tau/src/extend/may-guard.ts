// Whether an extension that cannot be loaded may be one that guards calls. Nothing of it can be asked any
// more; its words can be looked at.

import { readBounded } from "../base/read-bounded.ts";
import type { ExtensionSource } from "./extension-source.ts";

/** What a module writes that listens before calls, whichever kind it is. */
const GUARDING = /\btool_call\b/;
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** True as well if it cannot be read: nobody knows what it would have refused. */
export async function mayGuard({ path }: ExtensionSource): Promise<boolean> {
  try {
    const { text } = await readBounded(path, MAX_SOURCE_BYTES);
    return GUARDING.test(text);
  } catch {
    return true;
  }
}
