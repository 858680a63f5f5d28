// The login of providers that hand out keys: the user pastes one.

import type { ProviderRow } from "../provider-row.ts";
import { OAuthError, type LoginRow } from "./oauth.ts";

/** Longer than any key; a file that was piped in by mistake is longer still. */
export const MAX_KEY_CHARS = 16 * 1024;

/** The code of an error that says: this is no key. */
export const NO_KEY = "no_key";

export function keyLogin({ id, name }: Pick<ProviderRow, "id" | "name">): LoginRow {
  return {
    id,
    name,
    provider: id,
    login: async (driver, { signal }) => {
      const pasted = await driver.ask(`Paste your key for ${name} (it will not be shown):`, {
        secret: true,
        signal,
      });
      return { kind: "api_key", key: checkedKey(pasted) };
    },
  };
}

/** Trimmed; throws where it cannot be a key. Never says what was given. */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new OAuthError("no key was given", { code: NO_KEY, definitive: true });
  if (key.length > MAX_KEY_CHARS || !/^[\x21-\x7e]+$/.test(key)) {
    throw new OAuthError("that is not a key: a key is one line without spaces", {
      code: NO_KEY,
      definitive: true,
    });
  }
  return key;
}
