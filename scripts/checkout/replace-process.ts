// Continues as another program in the same process, so that signals, the terminal and whoever waits
// for the exit code notice nothing. Where the system has no such call, it runs as a child.

import { dlopen, ptr } from "bun:ffi";
import { C_LIBRARIES } from "../../packages/host/src/c-libraries.ts";

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
  const kept: Buffer[] = [];
  const list = (texts: string[]): BigUint64Array => {
    const buffers = texts.map((text) => Buffer.from(`${text}\0`));
    kept.push(...buffers);
    // Ends with a null pointer.
    return new BigUint64Array([...buffers.map((buffer) => BigInt(ptr(buffer))), 0n]);
  };
  const variables = Object.entries(env).filter(([, value]) => value !== undefined);
  const argv = list([program, ...args]);
  const envp = list(variables.map(([name, value]) => `${name}=${value}`));
  for (const library of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(library, {
        execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
      });
      symbols.execve(ptr(Buffer.from(`${program}\0`)), ptr(argv), ptr(envp));
      return;
    } catch (error) {
      // Another C library, or a system that lets no code be made at run time.
      if (!(error instanceof Error)) throw error;
    }
  }
}
