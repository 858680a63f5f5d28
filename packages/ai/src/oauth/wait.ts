// Waiting between polls, ended at once by an abort.

import type { OAuthContext } from "./oauth.ts";

export async function wait(ms: number, context: OAuthContext): Promise<void> {
  context.signal.throwIfAborted();
  await (context.sleep ?? sleep)(ms, context.signal);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
