// Removes stored keys and logins, and then what the file still holds of them.

import type { Environment } from "@tau/ai/environment";
import type { StoredCredential } from "./credential-store.ts";
import { openStore, scrubStore } from "./open-store.ts";

/** `later`: another process uses the store, so that it is overwritten the next time. */
export async function forgetCredentials(
  env: Environment,
  forgotten: readonly Pick<StoredCredential, "id">[],
): Promise<"overwritten" | "later"> {
  const isEmpty = forgotten.length === 0 || !(await removeAll(env, forgotten));
  return isEmpty || (await scrubStore(env)) ? "overwritten" : "later";
}

/** False where there is no store. It is closed again: overwriting needs it for itself. */
async function removeAll(
  env: Environment,
  forgotten: readonly Pick<StoredCredential, "id">[],
): Promise<boolean> {
  using store = await openStore(env);
  for (const { id } of forgotten) store?.remove(id);
  return store !== undefined;
}
