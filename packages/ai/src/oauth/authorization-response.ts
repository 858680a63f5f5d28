// The vendor's answer to the authorization page: a redirect's query, or what people paste when
// the browser could not hand it over: the code itself, the code with its state after a `#`, or
// the whole address that the browser was sent to.

import {
  AuthorizationResponseError,
  OperationProcessingError,
  skipStateCheck,
  UnsupportedOperationError,
  validateAuthResponse,
} from "oauth4webapi";
import { OAuthError } from "./oauth.ts";
import { plainWords } from "./plain-words.ts";

export interface ExpectedResponse {
  clientId: string;
  state: string;
  /** Undefined if it is not known how the vendor names itself: then it may call itself anything. */
  issuer?: string;
}

/** Undefined if nothing was pasted. Throws if it belongs to another login. */
export function pastedResponse(
  text: string,
  expected: ExpectedResponse,
): URLSearchParams | undefined {
  const pasted = text.trim();
  if (pasted === "") return undefined;
  return checkedResponse(queryOf(pasted), expected, { stateMayBeMissing: true });
}

/** As the library wants it for the exchange; it holds one code. */
export function checkedResponse(
  query: URLSearchParams,
  { clientId, state, issuer }: ExpectedResponse,
  { stateMayBeMissing }: { stateMayBeMissing: boolean },
): URLSearchParams {
  const isStateless = stateMayBeMissing && !query.has("state");
  const response = validated(query, {
    issuer: issuer ?? query.get("iss") ?? "unnamed",
    clientId,
    state: isStateless ? skipStateCheck : state,
  });
  if (response.getAll("code").length !== 1 || response.get("code") === "") {
    throw new OAuthError("there is no code in it; start again", { definitive: true });
  }
  return response;
}

function validated(
  query: URLSearchParams,
  expected: { issuer: string; clientId: string; state: string | typeof skipStateCheck },
): URLSearchParams {
  const { issuer, clientId, state } = expected;
  try {
    return validateAuthResponse({ issuer }, { client_id: clientId }, query, state);
  } catch (error) {
    if (error instanceof AuthorizationResponseError) throw refused(error.error);
    const isForeign =
      error instanceof OperationProcessingError || error instanceof UnsupportedOperationError;
    if (!isForeign) throw error;
    throw new OAuthError("that code belongs to another login; start again", {
      code: "state_mismatch",
      definitive: true,
    });
  }
}

function refused(code: string): OAuthError {
  const what = code === "access_denied" ? "the login was refused" : "the login failed";
  return new OAuthError(`${what} at the vendor's page (${plainWords(code)})`, {
    code,
    definitive: true,
  });
}

function queryOf(pasted: string): URLSearchParams {
  if (/^https?:\/\//i.test(pasted) && URL.canParse(pasted)) return new URL(pasted).searchParams;
  if (/(?:^|[?&])code=/.test(pasted)) return new URLSearchParams(pasted.replace(/^[^?]*\?/, ""));
  const [code, state] = pasted.split("#", 2);
  const query = new URLSearchParams({ code: code! });
  if (state) query.set("state", state);
  return query;
}
