// The terminal is given back whatever ends the process: a normal exit, SIGTERM, SIGHUP, SIGINT,
// an uncaught exception or a rejection nobody handled. It changes neither the exit code nor
// who else hears of the signal; only kill -9 gets past it.

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** Calls `restore` before the process ends; returns what takes the guard away. */
export function guardExit(restore: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    restore();
    release();
    // Nobody else ends the process on it: it dies of the signal as it would have without us.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const onRejection = (reason: unknown): void => {
    restore();
    release();
    if (process.listenerCount("unhandledRejection") > 0) return;
    // As if we had not listened: the runtime prints it and ends the process.
    setImmediate(() => {
      throw reason;
    });
  };
  const release = (): void => {
    process.off("exit", restore);
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtExceptionMonitor", restore);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", restore);
  process.on("unhandledRejection", onRejection);
  // Before the runtime prints the error, so that it is printed in a sane terminal.
  process.on("uncaughtExceptionMonitor", restore);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return release;
}
