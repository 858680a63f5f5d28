// The authorization-code flow with PKCE: the vendor's page in a browser, and the code comes
// back over loopback, or pasted where it cannot (another machine, a taken port).

import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
} from "oauth4webapi";
import type { Json } from "../wires/json.ts";
import {
  checkedResponse,
  pastedResponse,
  type ExpectedResponse,
} from "./authorization-response.ts";
import {
  CannotAsk,
  LoopbackUnavailable,
  OAuthError,
  type LoginDriver,
  type LoopbackListener,
  type OAuthContext,
} from "./oauth.ts";
import { callVendor, type TokenEndpoint } from "./standard-call.ts";

/** Long enough for a password manager and a second factor; a port is not held for ever. */
const LOGIN_TIMEOUT_MS = 10 * 60_000;

export interface AuthorizationCodeClient {
  authorizeUrl: string;
  token: TokenEndpoint;
  clientId: string;
  /** Of installed applications, where the vendor wants one although it is no secret there. */
  clientSecret?: string;
  /** How the vendor names itself in its answers (RFC 9207); not compared if it is left out. */
  issuer?: string;
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
  const { clientId, clientSecret } = client;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const listener = await listen(client, driver, state);
  const redirectUri = listener?.redirectUri ?? client.pasteRedirect ?? unheard(client);
  const url = new URL(client.authorizeUrl);
  const query = {
    ...client.parameters,
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: client.scope,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const expected = { clientId, state, issuer: client.issuer };
  const response = await waitForResponse(listener, driver, { url: url.href, expected, context });
  const additionalParameters = client.sendsState ? { state } : undefined;
  return callVendor(
    { ...client.token, clientId, clientSecret },
    async (server, self, authentication, options) => {
      const reply = await authorizationCodeGrantRequest(
        server,
        self,
        authentication,
        response,
        redirectUri,
        verifier,
        { ...options, additionalParameters },
      );
      return processAuthorizationCodeResponse(server, self, reply);
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

async function waitForResponse(
  listener: LoopbackListener | undefined,
  driver: LoginDriver,
  { url, expected, context }: { url: string; expected: ExpectedResponse; context: OAuthContext },
): Promise<URLSearchParams> {
  const done = new AbortController();
  const timeout = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
  const end = AbortSignal.any([done.signal, timeout, context.signal]);
  try {
    context.signal.throwIfAborted();
    driver.open(url, "Log in with your browser:");
    const ways = [aborted(end), askForResponse(driver, expected, end, listener !== undefined)];
    if (listener) {
      const options = { stateMayBeMissing: false };
      ways.push(listener.settled.then((query) => checkedResponse(query, expected, options)));
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

async function askForResponse(
  driver: LoginDriver,
  expected: ExpectedResponse,
  signal: AbortSignal,
  isHeard: boolean,
): Promise<URLSearchParams> {
  const paste = "aste the code, or the URL at which the browser ends up:";
  const question = isHeard ? `Waiting for the browser. Or p${paste}` : `P${paste}`;
  try {
    for (;;) {
      const pasted = await driver.ask(question, { secret: false, signal });
      const response = pastedResponse(pasted, expected);
      if (response !== undefined) return response;
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
