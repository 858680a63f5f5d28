// A login from beginning to end at the local server: the vendor's row, its endpoints moved,
// and a user who goes through with it.

import { loadLogin } from "@tau/ai/oauth/logins";
import type { LoginResult, LoginRow, OAuthTokens } from "@tau/ai/oauth/oauth";
import type { OAuthServer } from "./oauth-server.ts";
import { TestUser, type UserOptions } from "./oauth-server-user.ts";

export interface LoggedIn {
  user: TestUser;
  row: LoginRow;
  tokens: OAuthTokens;
}

/** `paths` are the server's, by the names that the vendor's row gives its endpoints. */
export async function logIn(
  id: string,
  server: OAuthServer,
  paths: Readonly<Record<string, string>>,
  options: UserOptions = {},
): Promise<LoggedIn> {
  const endpoints = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, server.url(path)]),
  );
  const row = await loadLogin(id, { endpoints });
  if (!row) throw new TypeError(`there is no login "${id}"`);
  const user = new TestUser(options);
  const tokens = tokensOf(await row.login(user, user.context));
  if (user.openListeners > 0) throw new Error("a listener was left open");
  return { user, row, tokens };
}

export function tokensOf(result: LoginResult): OAuthTokens {
  if (result.kind === "oauth") return result.tokens;
  throw new TypeError("a key where tokens were expected");
}

/** The second time with what the first brought; each time other tokens must come. */
export async function renewTwice({ user, row, tokens }: LoggedIn): Promise<OAuthTokens> {
  const first = { ...tokens, ...(await row.refresh!(tokens, user.context)) };
  const second = { ...first, ...(await row.refresh!(first, user.context)) };
  if (new Set([tokens.access, first.access, second.access]).size < 3) {
    throw new Error("a renewal brought the same token again");
  }
  if ((second.expiresAt ?? 0) <= user.context.now()) {
    throw new Error("a renewal brought a token that has expired");
  }
  return second;
}
