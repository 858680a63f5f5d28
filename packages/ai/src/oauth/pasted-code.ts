// What people paste when the browser could not hand the code over: the code itself, the
// code with its state behind a `#`, or the whole address that the browser was sent to.

import { OAuthError } from "./oauth.ts";
import { plainWords } from "./plain-words.ts";

/** The code; undefined where there is nothing in it. Throws where it belongs elsewhere. */
export function pastedCode(text: string, state: string): string | undefined {
  const pasted = text.trim();
  if (pasted === "") return undefined;
  return codeFrom(queryOf(pasted), state, { stateMayBeMissing: true });
}

/** The code in a redirect's query. */
export function codeFrom(
  query: URLSearchParams,
  state: string,
  options: { stateMayBeMissing: boolean },
): string {
  const error = query.get("error");
  if (error) {
    const what = error === "access_denied" ? "the login was refused" : "the login failed";
    throw new OAuthError(`${what} at the vendor's page (${plainWords(error)})`, {
      code: error,
      definitive: true,
    });
  }
  const told = query.get("state");
  const isOurs = told === state || (told === null && options.stateMayBeMissing);
  if (!isOurs) {
    throw new OAuthError("that code belongs to another login; start again", {
      code: "state_mismatch",
      definitive: true,
    });
  }
  const code = query.get("code");
  if (!code) throw new OAuthError("there is no code in it; start again", { definitive: true });
  return code;
}

function queryOf(pasted: string): URLSearchParams {
  if (/^https?:\/\//i.test(pasted) && URL.canParse(pasted)) return new URL(pasted).searchParams;
  if (/(?:^|[?&])code=/.test(pasted)) return new URLSearchParams(pasted.replace(/^[^?]*\?/, ""));
  const [code, state] = pasted.split("#", 2);
  return new URLSearchParams({ code: code!, ...(state ? { state } : {}) });
}
