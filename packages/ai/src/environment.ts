// A process environment as a value: passed in, never reached for.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first variable that is set; an empty one is as good as none. */
export function firstSet(names: readonly string[], env: Environment): string | undefined {
  for (const name of names) if (env[name]) return env[name];
  return undefined;
}
