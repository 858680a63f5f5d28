// The panel above the prompt: a row for each agent at work, a few rows whatever happens, none otherwise.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import type { AgentState, AgentView } from "../../feature-api/agent-view.ts";
import { AgentPanel } from "./agent-panel.ts";

function agent(id: string, changes: Partial<AgentView> = {}): AgentView {
  return {
    id,
    parent: "Main",
    kind: "explore",
    state: "running",
    isIsolated: false,
    requests: 0,
    tokens: 0,
    costUsd: 0,
    startedAt: 0,
    lastActiveAt: 0,
    unread: 0,
    ...changes,
  };
}

function panel(screenRows = 24) {
  const component = new AgentPanel({
    theme: colourlessTheme(),
    requestRender: () => {},
    screenRows: () => screenRows,
    now: () => 65_400,
  });
  return component;
}

test("whoever works stands there with what it does and for how long; whoever waits after them", () => {
  const one = panel();
  one.set([
    agent("Later", { state: "queued", description: "wait" }),
    agent("SwiftOtter", { doing: "read: src/lock.ts" }),
    agent("Ibis", { startedAt: 61_000, description: "ロックを調べる" }),
    agent("Done", { state: "idle" }),
  ]);
  expect(one.render(60).rows).toEqual([
    "",
    "  ● SwiftOtter  read: src/lock.ts  1m 05s",
    "  ● Ibis        ロックを調べる  4s",
    "  ○ Later       wait  queued",
  ]);
  one.set([agent("Done", { state: "idle" })]);
  expect(one.render(60).rows).toEqual([]);
});

test("of many, a few are shown and the others counted; on a low screen only one", () => {
  const many = Array.from({ length: 32 }, (_, at) => agent(`A${at}`, { doing: "answering" }));
  const one = panel();
  one.set(many);
  expect(one.render(80).rows).toHaveLength(6);
  expect(one.render(80).rows.at(-1)).toBe("  +28 more at work · /agents shows all");
  const low = panel(12);
  low.set(many);
  expect(low.render(80).rows).toHaveLength(3);
});

test("law: no row is wider than the screen or says anything to the terminal, whoever works on what", () => {
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom("日本語".repeat(20), "\x1b[2J", "a\nb", "👩‍👩‍👧"),
  );
  const state = fc.constantFrom<AgentState>("queued", "running", "idle", "parked", "aborted");
  const some = fc
    .record({ id: words, state, doing: fc.option(words, { nil: undefined }), startedAt: fc.nat() })
    .map(({ id, ...rest }) => agent(id, rest));
  fc.assert(
    fc.property(
      fc.array(some, { maxLength: 8 }),
      fc.integer({ min: 1, max: 120 }),
      (all, width) => {
        const one = panel();
        one.set(all);
        const { rows } = one.render(width);
        const working = all.filter(
          ({ state: now }) => now === "queued" || now === "running",
        ).length;
        expect(rows.length).toBe(
          working === 0 ? 0 : 1 + Math.min(working, 4) + (working > 4 ? 1 : 0),
        );
        for (const row of rows) {
          expect(displayWidth(row)).toBeLessThanOrEqual(width);
          expect(row.replaceAll(/\x1b\[[0-9;]*m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      },
    ),
  );
});
