// The environment that Tau itself goes by. `process.env` is one object for everybody in the process: an
// extension that sets `PATH` there, or deletes a variable, would change what Tau finds and what its commands
// run with. What the program was started with is therefore kept before anybody else's code is loaded.

type Variables = Readonly<Record<string, string | undefined>>;

let kept: Variables | undefined;

/** From now on, whatever becomes of `process.env`. */
export function keepEnvironment(env: Variables): void {
  kept = Object.freeze({ ...env });
}

/** In a program that has kept nothing (one that embeds Tau, a helper): as it is now. */
export function ownEnvironment(): Variables {
  return kept ?? { ...process.env };
}
