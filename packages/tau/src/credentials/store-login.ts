// Stores what a login gave, under the name that people know it by. The command and the screen
// both end here.

import type { Environment } from "@tau/ai/environment";
import type { LoginEntry } from "@tau/ai/oauth/logins";
import type { LoginResult } from "@tau/ai/oauth/oauth";
import { plainWords } from "@tau/ai/oauth/plain-words";
import { COMMAND } from "../brand.ts";
import type { StoredSecret } from "./credential-store.ts";
import { createStore } from "./open-store.ts";

/** What a key, or a login without an account's name, is called. */
const KEY_LABEL = "key";
const LOGIN_LABEL = "login";

export interface StoredLogin {
  provider: string;
  label: string;
  /** One sentence. */
  message: string;
  /** What keeps it from being used, as a sentence with the way out. */
  warning?: string;
}

/** `named` is what the user calls it, where that was said. */
export async function storeLogin(
  env: Environment,
  { provider }: Pick<LoginEntry, "provider">,
  result: LoginResult,
  named?: string,
): Promise<StoredLogin> {
  using credentials = await createStore(env);
  const told = result.kind === "api_key" ? KEY_LABEL : (result.tokens.account ?? LOGIN_LABEL);
  const label = plainWords(named ?? told);
  const secret: StoredSecret = result;
  credentials.save(provider, label, secret);
  const what = result.kind === "api_key" ? "Stored the key" : "Logged in";
  const as = label === KEY_LABEL || label === LOGIN_LABEL ? "" : ` as ${label}`;
  const message = `${what} for ${provider}${as}.`;
  const key = credentials.list(provider).find((stored) => stored.secret.kind === "api_key");
  if (result.kind !== "oauth" || !key) return { provider, label, message };
  const warning = `A stored key of ${provider} takes precedence over its logins; to remove it: ${COMMAND} logout ${provider} --account ${key.label}`;
  return { provider, label, message, warning };
}
