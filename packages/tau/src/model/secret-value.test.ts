import { expect, test } from "bun:test";
import { COMMAND_TIMEOUT_MS, SecretResolver } from "./secret-value.ts";

function resolver(env: Record<string, string> = {}, outputs: Record<string, string | Error> = {}) {
  const ran: [string, number][] = [];
  const secrets = new SecretResolver({
    env,
    run: async (command, timeout) => {
      ran.push([command, timeout]);
      const output = outputs[command] ?? "";
      if (output instanceof Error) throw output;
      return output;
    },
  });
  return { secrets, ran };
}

test("a variable, a command, a literal", async () => {
  const { secrets } = resolver({ MY_KEY: "from env" }, { "op read x": " from vault \n" });
  expect(await secrets.resolve("env:MY_KEY")).toEqual({ value: "from env" });
  expect(await secrets.resolve("cmd:op read x")).toEqual({ value: "from vault" });
  expect(await secrets.resolve("sk-literal")).toEqual({ value: "sk-literal" });
});

test("the older spellings work and say how to write them now", async () => {
  const { secrets } = resolver({ MY_KEY: "from env" }, { "op read x": "from vault" });
  expect(await secrets.resolve("MY_KEY")).toEqual({
    value: "from env",
    warning: 'write "env:MY_KEY" instead of "MY_KEY"',
  });
  expect(await secrets.resolve("!op read x")).toMatchObject({ value: "from vault" });
});

test("a name that looks like a variable is never sent as a key", async () => {
  const { secrets } = resolver();
  expect(await secrets.resolve("MY_PROVDER_KEY")).toEqual({
    value: undefined,
    warning: "MY_PROVDER_KEY looks like a variable, but it is not set",
  });
});

test("a command runs once for many models, with a limit on its time", async () => {
  const { secrets, ran } = resolver({}, { get: "x" });
  await Promise.all([
    secrets.resolve("cmd:get"),
    secrets.resolve("cmd:get"),
    secrets.resolve("!get"),
  ]);
  expect(ran).toEqual([["get", COMMAND_TIMEOUT_MS]]);
});

test("a command that fails or prints nothing gives no key, and is tried again", async () => {
  const { secrets, ran } = resolver({}, { bad: new Error("exit code 1"), empty: "\n" });
  expect((await secrets.resolve("cmd:bad")).warning).toBe('the command "bad" failed: exit code 1');
  expect(await secrets.resolve("cmd:bad")).toMatchObject({ value: undefined });
  expect(ran).toHaveLength(2);
  expect((await secrets.resolve("cmd:empty")).warning).toBe('the command "empty" printed nothing');
});
