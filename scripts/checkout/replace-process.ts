// Continues as another program in the same process, so that signals, the terminal and whoever waits
// for the exit code notice nothing. Where the system has no such call, it runs as a child.

import { openCLibrary } from "../../packages/host/src/c-library.ts";

type Environment = Record<string, string | undefined>;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function replaceProcess(
  program: string,
  args: string[],
  env: Environment,
): Promise<never> {
  if (process.platform !== "win32") execute(program, args, env);
  const child = Bun.spawn([program, ...args], { env, stdio: ["inherit", "inherit", "inherit"] });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  process.exit(await child.exited);
}

/** Returns only if it did not work. */
function execute(program: string, args: string[], env: Environment): void {
  const library = openCLibrary({
    execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
  } as const);
  if (!library) return;
  const { symbols, ptr } = library;
  const kept: Buffer[] = [];
  const text = (words: string): Buffer => {
    const buffer = Buffer.from(`${words}\0`);
    kept.push(buffer);
    return buffer;
  };
  // Ends with a null pointer.
  const list = (texts: string[]): BigUint64Array =>
    new BigUint64Array([...texts.map((words) => BigInt(ptr(text(words)))), 0n]);
  const variables = Object.entries(env).filter(([, value]) => value !== undefined);
  const argv = list([program, ...args]);
  const envp = list(variables.map(([name, value]) => `${name}=${value}`));
  symbols.execve(ptr(text(program)), ptr(argv), ptr(envp));
}
