// The driver in the shells that a host may have, without a network in between.

import { describe, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import fc from "fast-check";
import { processesWithEnv, waitUntilGone } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { BOOTSTRAP, driverInput, plainBootstrap } from "./remote-driver.ts";

const TOKEN = "\u001etoken";
/** As servers do: OpenSSH gives a session of its own, smaller ones do not. */
const SESSIONS = { "in a session of its own": true, "in its parent's": false };
const TIMEOUT_MS = 60_000;

interface DriverOptions {
  login?: string;
  detached?: boolean;
  cwd?: string;
  env?: Record<string, string>;
  words?: string;
  /** How long the lifeline holds; until the token comes where absent. */
  holdMs?: number;
}

async function drive(command: string, options: DriverOptions = {}): Promise<string> {
  const { login = "sh", detached = true, cwd, env = {}, words = BOOTSTRAP, holdMs } = options;
  const child = Bun.spawn([login, "-c", words], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { PATH: process.env.PATH, HOME: "/", SHELL: "/bin/sh", ...env },
    detached,
  });
  child.stdin.write(driverInput({ command, token: TOKEN, cwd }));
  child.stdin.flush();
  if (holdMs !== undefined) setTimeout(() => void child.stdin.end(), holdMs).unref();
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (/\u001etoken [^\u001e]*\u001e/.test(output)) break;
  }
  void child.stdin.end();
  await child.exited;
  return output;
}

const ended = (output: string, exitCode: number): string => `${output}${TOKEN} ${exitCode}\u001e`;

for (const login of ["sh", "bash", "dash", "zsh", "fish"]) {
  testWith(
    { program: login, proves: `that commands run for users of ${login}` },
    `a command runs below ${login}`,
    async (path) => {
      for (const detached of Object.values(SESSIONS)) {
        const options = { login: path, detached };
        expect(await drive("echo a; echo b >&2; exit 7", options)).toBe(ended("a\nb\n", 7));
        expect(await drive("cat; pwd", { ...options, cwd: "/tmp" })).toBe(ended("/tmp\n", 0));
        expect(await drive("echo never", { ...options, cwd: "/none" })).toBe(`${TOKEN} cwd\u001e`);
        expect(await drive("pwd", { ...options, cwd: "~", env: { HOME: "/usr" } })).toBe(
          ended("/usr\n", 0),
        );
      }
    },
    TIMEOUT_MS,
  );
}

test("a shell that is named is driven through its input alone", async () => {
  const words = plainBootstrap("bash");
  expect(await drive("echo one; exit 3", { words })).toBe(ended("one\n", 3));
}, 20_000);

test("law: the login shell gets the command's own characters, whatever they are", async () => {
  await using scratch = await createScratchDirectory();
  const shell = await scratch.write("shell", `#!/bin/sh\nprintf %s "$2"\n`);
  await chmod(shell, 0o755);
  const character = fc.oneof(
    fc.constantFrom("'", '"', "\\", "$", "`", "\n", "\r", "\t", " ", "!", "*", "~", "\u001e", "{"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  );
  const command = fc
    .array(character, { minLength: 1, maxLength: 60 })
    .map((parts) => parts.join("").replaceAll("\0", ""))
    .filter((text) => text.isWellFormed() && !text.includes(TOKEN));
  await fc.assert(
    fc.asyncProperty(command, async (text) => {
      expect(await drive(text, { env: { SHELL: shell } })).toBe(ended(`${text}\n`, 0));
    }),
    { numRuns: 25 },
  );
}, 60_000);

describe("the end of the lifeline is the end of the command", () => {
  for (const [where, detached] of Object.entries(SESSIONS)) {
    test(
      where,
      async () => {
        const value = crypto.randomUUID();
        const find = () => processesWithEnv({ name: "TAU_TEST_DRIVER", value });
        const command = `trap '' TERM HUP; echo up; sleep 300 & setsid sleep 300 & sleep 300; sleep 300`;
        const running = drive(command, { detached, holdMs: 1000, env: { TAU_TEST_DRIVER: value } });
        expect(await running).toBe("up\n");
        await waitUntilGone(find);
      },
      TIMEOUT_MS,
    );
  }
});
