// Nobody waits for ever for one who waits as well.

import { expect, test } from "bun:test";
import type { AgentRegistry } from "./registry.ts";
import { Waiting } from "./waiting.ts";

function place(states: Record<string, string>) {
  const agents = Object.entries(states).map(([id, state]) => ({ id, state }));
  const registry = {
    agents: () => agents,
    get: (id: string) => agents.find((one) => one.id === id),
  };
  return new Waiting(registry as unknown as AgentRegistry);
}

test("two that would wait for one another: the second is told", () => {
  const waiting = place({ Ann: "running", Bob: "running" });
  expect(waiting.whyInVain("Ann", "Bob")).toBeUndefined();
  using _ann = waiting.begin("Ann", "Bob");
  expect(waiting.whyInVain("Bob", "Ann")).toBe(
    "Ann itself waits for a message from Bob: you would wait for one another for ever. Write to it first.",
  );
  // Somebody else may still write.
  expect(waiting.whyInVain("Bob", undefined)).toBeUndefined();
});

test("a ring of three; one who works breaks it", () => {
  const waiting = place({ Ann: "running", Bob: "running", Eve: "running" });
  using _ann = waiting.begin("Ann", "Bob");
  using _bob = waiting.begin("Bob", "Eve");
  expect(waiting.whyInVain("Eve", "Ann")).toContain("Ann itself waits for a message from Bob");
  expect(waiting.whyInVain("Eve", "Main")).toBeUndefined();
});

test("one that is idle writes only if it is written to", () => {
  const waiting = place({ Ann: "running", Bob: "idle" });
  expect(waiting.whyInVain("Ann", "Bob")).toBe("Bob is idle and writes only if it is written to.");
});

test("whoever stops waiting is free again", () => {
  const waiting = place({ Ann: "running", Bob: "running" });
  waiting.begin("Ann", "Bob")[Symbol.dispose]();
  expect(waiting.whyInVain("Bob", "Ann")).toBeUndefined();
});
