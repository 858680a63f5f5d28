// What extensions of the family are told when a session becomes another one: why, in the family's words.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { ActiveSession, userText } from "@tau/tau/sdk";
import { isolatedHome } from "@tau/testkit/scratch";

const WATCHER = `
const EVENTS = ["session_start", "session_before_switch", "session_switch", "session_shutdown"];
export default (pi) => {
  for (const name of EVENTS) pi.on(name, (event) => void globalThis.changesTold.push(name + " " + event.reason));
};`;

test("starts, switches and ends have their reasons", async () => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  await home.write("watcher.ts", WATCHER);
  const told: string[] = [];
  Object.assign(globalThis, { changesTold: told });
  const since = (): string[] => told.splice(0);
  const changed = (reason: string): string[] => [
    `session_before_switch ${reason}`,
    `session_start ${reason}`,
    `session_switch ${reason}`,
    `session_shutdown ${reason}`,
  ];
  const active = await ActiveSession.open({
    cwd,
    env: home.env,
    model: "tau/demo",
    extensions: { paths: [home.path("watcher.ts")] },
  });
  expect(since()).toEqual(["session_start startup"]);
  const first = active.session.id;
  await active.prompt(userText("hello"));
  await active.startNew();
  expect(since()).toEqual(changed("new"));
  await active.resume(first);
  expect(since()).toEqual(changed("resume"));
  await active.fork();
  expect(since()).toEqual(changed("fork"));
  await active.reload();
  expect(since()).toEqual(["session_shutdown reload", "session_start reload"]);
  await active[Symbol.asyncDispose]();
  expect(since()).toEqual(["session_shutdown quit"]);
  Reflect.deleteProperty(globalThis, "changesTold");
});
