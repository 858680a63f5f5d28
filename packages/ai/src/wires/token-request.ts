// Asking somebody other than the model's host for what the model's host wants to see: a
// token endpoint, a metadata service. Failures say who refused.

import { kindOfStatus, ModelError, modelFailure } from "../error.ts";
import { networkReason } from "../network-reason.ts";
import { SentSecrets } from "../sent-secrets.ts";
import type { AuthorizationContext } from "../wire.ts";
import { asString, parseObject } from "./json.ts";

/** Such endpoints answer at once or not at all. */
const TOKEN_TIMEOUT_MS = 30_000;
/** Enough of a refusal to understand it by. */
const SHOWN_CHARS = 300;

/** The body of a successful reply. `who` is what the failure calls the other side. */
export async function requestToken(
  send: AuthorizationContext["fetch"],
  who: string,
  url: string,
  init: RequestInit,
): Promise<string> {
  const reply = await reach(send, who, url, init);
  if (reply.ok) return reply.body;
  const { status } = reply;
  const body = secretsIn(init).hide(reply.body);
  const json = parseObject(body);
  const code = asString(json?.error) ?? asString(json?.code);
  const why = asString(json?.error_description) ?? asString(json?.message) ?? code ?? body.trim();
  // What is wrong with such a request is always what it was made with.
  const kind = status === 400 || status === 404 ? "auth" : kindOfStatus(status);
  const shown = why === "" || why.startsWith("<") ? `HTTP ${status}` : why.slice(0, SHOWN_CHARS);
  throw new ModelError(modelFailure(kind, `${who} refused: ${shown}`, { status, code }));
}

async function reach(
  send: AuthorizationContext["fetch"],
  who: string,
  url: string,
  init: RequestInit,
): Promise<{ ok: boolean; status: number; body: string }> {
  const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
  try {
    const response = await send(url, { ...init, signal, redirect: "error" });
    return { ok: response.ok, status: response.status, body: await response.text() };
  } catch (error) {
    const why = networkReason(error);
    const failure = signal.aborted
      ? modelFailure("timeout", `${who} sent nothing for ${TOKEN_TIMEOUT_MS / 1000} s.`)
      : modelFailure("network", `Cannot reach ${who} at ${hostOf(url)}: ${why}`, {
          code: asString((error as { code?: unknown }).code),
        });
    throw new ModelError(failure, { cause: error });
  }
}

/** What the request proves itself with; whoever refuses it may repeat it. */
function secretsIn({ headers, body }: RequestInit): SentSecrets {
  const secrets = new SentSecrets();
  secrets.addHeaders(Object.fromEntries(new Headers(headers)));
  if (typeof body === "string" || body instanceof URLSearchParams) {
    secrets.addParameters(new URLSearchParams(body));
  }
  return secrets;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
