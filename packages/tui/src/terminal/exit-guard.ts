// The terminal is given back whatever ends the process: a normal exit, SIGTERM, SIGHUP, SIGINT,
// an uncaught exception or a rejection nobody handled. It changes neither the exit code nor
// who else hears of the signal; only kill -9 gets past it.

import { signalSelf } from "./own-exit.ts";

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** Whether somebody takes care of an error that nobody caught, so that it ends nothing. */
export type StrayClaim = (error: unknown) => boolean;

const claims = new Set<StrayClaim>();

/** Returns the way to stop. */
export function claimStrays(claim: StrayClaim): () => void {
  claims.add(claim);
  return () => claims.delete(claim);
}

function isClaimed(error: unknown): boolean {
  return [...claims].some((claim) => claim(error));
}

/** Calls `restore` before the process ends; returns what takes the guard away. */
export function guardExit(restore: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    restore();
    release();
    // Nobody else ends the process on it: it dies of the signal as it would have without us.
    if (process.listenerCount(signal) === 0) signalSelf(signal);
  };
  const onRejection = (reason: unknown): void => {
    if (isClaimed(reason)) return;
    restore();
    release();
    if (process.listenerCount("unhandledRejection") > 0) return;
    // As if we had not listened: the runtime prints it and ends the process.
    setImmediate(() => {
      throw reason;
    });
  };
  const onException = (error: unknown): void => {
    if (!isClaimed(error)) restore();
  };
  const release = (): void => {
    process.off("exit", restore);
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtExceptionMonitor", onException);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", restore);
  process.on("unhandledRejection", onRejection);
  // Before the runtime prints the error, so that it is printed in a sane terminal.
  process.on("uncaughtExceptionMonitor", onException);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return release;
}
