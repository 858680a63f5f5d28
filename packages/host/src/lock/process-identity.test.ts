import { expect, test } from "bun:test";
import { systemProcesses, type ProcessIdentity } from "./process-identity.ts";

test("a process is alive, gone, replaced by another of its number, or out of sight", async () => {
  const processes = systemProcesses();
  const self = await processes.self();
  expect(self.pid).toBe(process.pid);
  const child = Bun.spawn([process.execPath, "-e", "await Bun.sleep(60_000)"]);
  const { pid } = child;
  const other: ProcessIdentity = { pid, host: self.host };
  expect(await processes.stateOf(self)).toBe("alive");
  expect(await processes.stateOf(other)).toBe("alive");
  expect(await processes.stateOf({ ...other, host: "elsewhere" })).toBe("unknown");
  if (process.platform === "linux") {
    expect(await processes.stateOf({ ...self, start: "1" })).toBe("gone");
    expect(await processes.stateOf({ ...self, boot: "before" })).toBe("gone");
    expect(await processes.stateOf({ ...self, space: "pid:[1]" })).toBe("unknown");
  }
  child.kill("SIGKILL");
  await child.exited;
  expect(await processes.stateOf(other)).toBe("gone");
});
