// What stands below the transcript: never wider than the screen, and silent where there is
// nothing to say.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createAnimationClock } from "@tau/tui/components/animation-clock";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import { ActivityLine } from "./activity-line.ts";
import { PromptFrame } from "./prompt-frame.ts";
import { QueueList } from "./queue-list.ts";
import { short, StatusLine, type StatusFacts } from "./status-line.ts";
import { STATUS_SEGMENTS, statusLayout } from "../../../looks/status-settings.ts";

const theme = colourlessTheme();
const FACTS: StatusFacts = {
  model: "anthropic/some-model-4",
  thinking: "high",
  path: "~/src/a/project",
  git: { branch: "main", staged: 0, changed: 2, untracked: 0 },
  title: "What the sundial says",
  contextTokens: 91_000,
  contextWindow: 200_000,
  inputTokens: 1_234_567,
  outputTokens: 4_321,
  costUsd: 0.1234,
  runningJobs: 2,
  runningAgents: 3,
  sandbox: undefined,
  extensions: [],
};

function line(
  facts: Partial<StatusFacts>,
  columns: number,
  preset: "default" | "minimal" | "full" = "default",
) {
  const settings = { preset, separator: "dot" as const, leftSegments: [], rightSegments: [] };
  const layout = statusLayout(settings)!;
  const status = new StatusLine({
    theme,
    layout,
    separator: "dot",
    facts: () => ({ ...FACTS, ...facts }),
  });
  return status.render(columns).rows[0]!;
}

test("the status line says what is known, left and right", () => {
  expect(line({}, 100)).toBe(
    "anthropic/some-model-4 · high · ~/src/a/project · ⎇ main*    3 agents, 2 jobs · $0.123 · 46% of 200k",
  );
  const none = { runningJobs: 0, runningAgents: 0, costUsd: 0, contextTokens: 0 };
  const quiet = { thinking: "off", git: undefined, ...none };
  expect(line(quiet, 60)).toBe("anthropic/some-model-4 · ~/src/a/project          0% of 200k");
  expect(line({}, 40, "minimal")).toBe("anthropic/some-model-4       46% of 200k");
});

test("the status line says what the sandbox was found to be", () => {
  const said = (sandbox: StatusFacts["sandbox"]) =>
    line({ sandbox }, 70, "minimal").slice(23).trim();
  expect(said({ state: "checking" })).toBe("sandbox… · 46% of 200k");
  const found = { state: "in_force", kind: "landlock", weak: [] } as const;
  expect(said({ ...found, network: "off" })).toBe("sandbox · 46% of 200k");
  expect(said({ ...found, network: "on" })).toBe("sandbox, network on · 46% of 200k");
  const missing = { state: "missing", why: "it is not here", fix: "install it" } as const;
  expect(said(missing)).toBe("sandbox missing · 46% of 200k");
});

test("law: the status line fits any width, whatever stands in it", () => {
  const word = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\x1b[31m日本語👩‍👩‍👧\u202e"));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 220 }),
      word,
      word,
      fc.constantFrom("default", "minimal", "full" as const),
      (columns, path, title, preset) => {
        const row = line({ path, title, model: title }, columns, preset);
        expect(displayWidth(row)).toBeLessThanOrEqual(columns);
        expect(row).not.toContain("\x1b");
      },
    ),
  );
});

test("a layout of one's own takes the parts there are and passes over others", () => {
  const settings = {
    preset: "custom" as const,
    separator: "pipe" as const,
    leftSegments: ["cost", "no-such", 7, "model"],
    rightSegments: [],
  };
  expect(statusLayout(settings)).toEqual({ left: ["cost", "model"], right: [] });
  expect(statusLayout({ ...settings, preset: "off" })).toBeUndefined();
  const known: StatusFacts = {
    ...FACTS,
    sandbox: { state: "checking" },
    extensions: [{ words: "\x1b[31mred\x1b[39m" }, { from: "x", words: "x".repeat(200) }],
  };
  for (const segment of STATUS_SEGMENTS) {
    const layout = { left: [segment], right: [] };
    const only = new StatusLine({ theme, layout, separator: "dot", facts: () => known });
    expect(only.render(80).rows[0]!.trim()).not.toBe("");
  }
});

test("words of extensions are marked and named, whatever they say or are called", () => {
  const drawn = (extensions: StatusFacts["extensions"]): string => {
    const layout = { left: ["extensions" as const], right: [] };
    const facts = (): StatusFacts => ({ ...FACTS, extensions });
    const line = new StatusLine({ theme, layout, separator: "dot", facts });
    return Bun.stripANSI(line.render(200).rows[0]!).trim();
  };
  expect(drawn([{ words: "own" }])).toBe("own");
  expect(drawn([{ from: "Bash", words: "auto-approve" }])).toBe("extension Bash auto-approve");
  const several = [
    { from: "git", words: "main" },
    { from: "git", words: "clean" },
    { words: "own" },
    { from: "weather", words: "21 degrees" },
  ];
  expect(drawn(several)).toBe("own  extensions git main  clean  weather 21 degrees");
});

test("counts are short", () => {
  expect([0, 999, 1_000, 12_345, 999_499, 1_250_000].map(short)).toEqual([
    "0",
    "999",
    "1k",
    "12k",
    "999k",
    "1.3M",
  ]);
});

test("the activity line follows a run and is gone after it", () => {
  let now = 0;
  const clock = createAnimationClock(() => {});
  const activity = new ActivityLine({ theme, clock, stopKey: () => "Esc", now: () => now });
  const row = (): string | undefined => activity.render(80).rows.at(-1);
  const { length } = activity.render(80).rows;
  expect(row()).toBe("");
  activity.follow({ type: "agent_start" });
  now = 2_500;
  expect(row()).toMatch(/^. Waiting for the model 2\.5s · Esc stops$/);
  const retry = {
    type: "auto_retry_start",
    attempt: 1,
    action: "wait",
    delayMs: 4_000,
    failure: { kind: "rate_limit", message: "slow down", retryable: true },
    model: "a/b",
  } as const;
  activity.follow({ ...retry, purpose: "title", isQuiet: true });
  expect(row()).toMatch(/Waiting for the model/);
  activity.follow(retry);
  expect(row()).toMatch(/Trying again in 4s/);
  now = 5_600;
  expect(row()).toMatch(/Trying again in 1s/);
  // The prompt below it stays where it is.
  expect(activity.render(80).rows).toHaveLength(length);
  activity.follow({ type: "agent_end", end: { reason: "done" } });
  expect(row()).toBe("");
  clock.stop();
});

test("a summary outside of a run has an activity of its own", () => {
  const clock = createAnimationClock(() => {});
  const activity = new ActivityLine({ theme, clock, stopKey: () => undefined });
  activity.follow({ type: "auto_compaction_start", reason: "manual" });
  expect(activity.isBusy).toBe(true);
  activity.follow({ type: "auto_compaction_end", reason: "manual", result: { dropped: "no" } });
  expect(activity.isBusy).toBe(false);
  clock.stop();
});

test("what waits is listed with its turn, and more of it is counted", () => {
  const list = new QueueList(theme, () => "Alt+Up");
  expect(list.render(80).rows).toEqual([]);
  const mail = (text: string, delivery: "steer" | "followUp") =>
    ({ id: text, sender: "user", text, delivery }) as const;
  list.set([mail("one\ntwo", "steer"), mail("three", "followUp")]);
  expect(list.render(80).rows).toEqual([
    "",
    "  next  one two",
    "  when done  three",
    "  Alt+Up takes the last one back",
  ]);
  list.set(Array.from({ length: 7 }, (_, index) => mail(`m${index}`, "steer")));
  expect(list.render(80).rows.at(-1)).toBe("  3 more; Alt+Up takes the last one back");
});

test("the prompt's frame is as wide as the screen, with and without a label", () => {
  const editor = { state: "live" as const, render: () => ({ rows: ["› x"], stableRows: 0 }) };
  for (const label of [undefined, "shell"]) {
    const frame = new PromptFrame({ theme, editor, border: () => "border", label: () => label });
    for (const columns of [1, 5, 12, 80]) {
      const { rows } = frame.render(columns);
      expect(displayWidth(rows[0]!)).toBe(columns);
      expect(displayWidth(rows.at(-1)!)).toBe(columns);
    }
  }
});
