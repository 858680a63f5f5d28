// What went wrong with a call, where no vendor said so: an abort, a silence, a network
// that is not there, bytes that make no sense, or a bug of ours.

import type { CallWatch } from "./call-watch.ts";
import { ModelError, modelFailure, type ModelFailure } from "./error.ts";
import type { Model } from "./model.ts";
import { FrameTooLarge } from "./frame-too-large.ts";
import { BrokenEncoding } from "./quiet-fetch.ts";
import { networkReason } from "./network-reason.ts";

export function describeFailure(error: unknown, model: Model, watch: CallWatch): ModelFailure {
  if (error instanceof ModelError) return error.failure;
  if (watch.callerAborted) return modelFailure("aborted", "The call was aborted.");
  if (watch.timedOutAfterMs !== undefined) {
    const seconds = Math.round(watch.timedOutAfterMs / 1000);
    const what = watch.onlyLived
      ? `no content for ${seconds} s, only keep-alive comments`
      : `nothing for ${seconds} s`;
    return modelFailure("timeout", `${model.provider} sent ${what}.`);
  }
  const isUnreadable =
    error instanceof FrameTooLarge ||
    error instanceof SyntaxError ||
    error instanceof BrokenEncoding;
  if (isUnreadable) {
    return modelFailure(
      "protocol",
      `${model.provider} sent a reply that cannot be read: ${error.message}`,
    );
  }
  if (isNetworkError(error) && error.code === UNEXPECTED_REDIRECT) {
    return modelFailure(
      "protocol",
      `${hostOf(model.baseUrl)} redirects elsewhere; check the base URL.`,
      { code: error.code, retryable: false },
    );
  }
  if (isNetworkError(error)) {
    return modelFailure(
      "network",
      `Cannot reach ${hostOf(model.baseUrl)}: ${networkReason(error)}`,
      {
        code: error.code,
      },
    );
  }
  // A bug of ours must not look like the network's fault, nor take the session down.
  const message = error instanceof Error ? error.message : String(error);
  return modelFailure("protocol", `Unexpected failure: ${message}`, { retryable: false });
}

/** Following a redirect would send the credential to a host that nobody chose. */
const UNEXPECTED_REDIRECT = "UnexpectedRedirect";

/** Bun's fetch rejects with a coded Error; the standard's TypeError comes from other runtimes. */
function isNetworkError(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && !(error instanceof RangeError);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
