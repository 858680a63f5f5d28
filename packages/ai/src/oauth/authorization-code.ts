// The authorization-code flow with PKCE: the vendor's page in a browser, and the code comes
// back over loopback, or pasted where it cannot (another machine, a taken port).

import type { Json } from "../wires/json.ts";
import {
  CannotAsk,
  LoopbackUnavailable,
  OAuthError,
  type LoginDriver,
  type LoopbackListener,
  type OAuthContext,
} from "./oauth.ts";
import { codeFrom, pastedCode } from "./pasted-code.ts";
import { createPkce, randomWord } from "./pkce.ts";
import { requestToken, type TokenEndpoint } from "./token-endpoint.ts";

/** Long enough for a password manager and a second factor; a port is not held for ever. */
const LOGIN_TIMEOUT_MS = 10 * 60_000;

export interface AuthorizationCodeClient {
  authorizeUrl: string;
  token: TokenEndpoint;
  clientId: string;
  /** Of installed applications, where the vendor wants one although it is no secret there. */
  clientSecret?: string;
  scope: string;
  /** As registered with the vendor; the first free port is used. */
  loopback: { host: "localhost" | "127.0.0.1"; ports: readonly number[]; path: string };
  /** A page of the vendor's that shows the code, for when nothing can listen. */
  pasteRedirect?: string;
  /** More for the authorization page. */
  parameters?: Readonly<Record<string, string>>;
  /** The token endpoint wants the state too. */
  sendsState?: boolean;
}

/** The token endpoint's reply. */
export async function authorizeWithCode(
  client: AuthorizationCodeClient,
  driver: LoginDriver,
  context: OAuthContext,
): Promise<Json> {
  const pkce = await createPkce();
  const state = randomWord();
  const listener = await listen(client, driver, state);
  const redirectUri = listener?.redirectUri ?? client.pasteRedirect ?? unheard(client);
  const url = new URL(client.authorizeUrl);
  const query = {
    ...client.parameters,
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: client.scope,
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
    state,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const code = await waitForCode(listener, driver, { url: url.href, state, context });
  return requestToken(
    client.token,
    {
      grant_type: "authorization_code",
      client_id: client.clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
      ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }),
      ...(client.sendsState ? { state } : {}),
    },
    context,
  );
}

async function listen(
  { loopback }: AuthorizationCodeClient,
  driver: LoginDriver,
  state: string,
): Promise<LoopbackListener | undefined> {
  for (const port of loopback.ports) {
    try {
      return await driver.listen({ port, path: loopback.path, host: loopback.host, state });
    } catch (error) {
      if (!(error instanceof LoopbackUnavailable)) throw error;
    }
  }
  return undefined;
}

/** Nobody listens there, but its address bar will hold the code. */
function unheard({ loopback }: AuthorizationCodeClient): string {
  return `http://${loopback.host}:${loopback.ports[0]}${loopback.path}`;
}

async function waitForCode(
  listener: LoopbackListener | undefined,
  driver: LoginDriver,
  { url, state, context }: { url: string; state: string; context: OAuthContext },
): Promise<string> {
  const done = new AbortController();
  const timeout = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
  const end = AbortSignal.any([done.signal, timeout, context.signal]);
  try {
    context.signal.throwIfAborted();
    driver.open(url, "Log in with your browser:");
    const ways = [aborted(end), askForCode(driver, state, end, listener !== undefined)];
    if (listener) {
      ways.push(
        listener.settled.then((query) => codeFrom(query, state, { stateMayBeMissing: false })),
      );
    }
    return await Promise.race(ways);
  } catch (error) {
    if (!timeout.aborted || context.signal.aborted) throw error;
    const minutes = LOGIN_TIMEOUT_MS / 60_000;
    throw new OAuthError(`nobody logged in within ${minutes} minutes; start again`, {
      definitive: false,
    });
  } finally {
    done.abort();
    listener?.close();
  }
}

async function askForCode(
  driver: LoginDriver,
  state: string,
  signal: AbortSignal,
  isHeard: boolean,
): Promise<string> {
  const paste = "aste the code, or the URL at which the browser ends up:";
  const question = isHeard ? `Waiting for the browser. Or p${paste}` : `P${paste}`;
  try {
    for (;;) {
      const code = pastedCode(await driver.ask(question, { secret: false, signal }), state);
      if (code !== undefined) return code;
    }
  } catch (error) {
    // Without a terminal the browser alone has to do.
    if (error instanceof CannotAsk && isHeard) return aborted(signal);
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}
