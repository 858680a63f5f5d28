// What the conversation is made of, and what stands below it.

import type { ApprovalQuestion } from "@tau/agent/judge-call";
import { createAnimationClock } from "@tau/tui/components/animation-clock";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { SessionEvent } from "../../../session/session-event.ts";
import { ApprovalScreen } from "../approval-screen.ts";
import { ThinkingBlock } from "../blocks/thinking-block.ts";
import { UserBlock } from "../blocks/user-block.ts";
import { ActivityLine } from "../bottom/activity-line.ts";
import { PromptFrame } from "../bottom/prompt-frame.ts";
import { QueueList } from "../bottom/queue-list.ts";
import { StatusLine, type StatusFacts } from "../bottom/status-line.ts";
import { statusLayout, type StatusLineSettings } from "../../../looks/status-settings.ts";
import type { Standing } from "../question-guard.ts";
import { QuestionStrip } from "../question-strip.ts";
import type { Stage } from "../stage.ts";
import { captioned, type GalleryLook, type GallerySection } from "./gallery-section.ts";

/** Nothing moves and no time passes in the gallery. */
const still = () => ({ ...createAnimationClock(() => {}), keepGoing: () => {} });
const NOW = 0;

const FACTS: StatusFacts = {
  model: "anthropic/some-model",
  thinking: "high",
  path: "~/src/sundial",
  git: { branch: "main", staged: 1, changed: 2, untracked: 0 },
  title: "What the sundial says",
  contextTokens: 145_000,
  contextWindow: 200_000,
  inputTokens: 1_200_000,
  outputTokens: 8_400,
  costUsd: 0.42,
  runningJobs: 1,
  runningAgents: 0,
  sandbox: undefined,
  extensions: [],
};

function statusRows(preset: StatusLineSettings["preset"], { theme, columns }: GalleryLook) {
  const settings = { preset, separator: "dot" as const, leftSegments: [], rightSegments: [] };
  // The time of day would be another one in every snapshot.
  const layout = statusLayout(settings)!;
  const right = layout.right.filter((segment) => segment !== "time");
  const line = { theme, layout: { ...layout, right }, separator: "dot" as const };
  return new StatusLine({ ...line, facts: () => FACTS }).render(columns).rows;
}

function activityRows(events: readonly SessionEvent[], { theme, columns }: GalleryLook) {
  const activity = new ActivityLine({
    theme,
    clock: still(),
    stopKey: () => "Esc",
    now: () => NOW,
  });
  for (const event of events) activity.follow(event);
  return activity.render(columns).rows.filter(Boolean);
}

const QUESTION: Pick<ApprovalQuestion, "reasons" | "rules" | "scopes"> & {
  [key: string]: unknown;
} = {
  call: { type: "toolCall", id: "1", name: "bash", arguments: {} },
  prepared: { params: { command: "rm -rf ../build && make install" } },
  reasons: [{ behaviour: "approval", reason: "it deletes ../build" }],
  rules: ["allow bash(rm -rf ../build)", "allow bash(make install)"],
  scopes: ["session", "always", "everywhere"],
  tier: "exec",
  subjects: [],
};

export const conversationSection: GallerySection = {
  name: "conversation",
  about: "what the conversation is made of, and what stands below it",
  items: [
    {
      name: "user",
      rows: (look) =>
        captioned(look, [
          ["words", rowsOf(new UserBlock({ text: "add a time zone", theme: look.theme }), look)],
          [
            "many lines",
            rowsOf(
              new UserBlock({
                text: Array.from({ length: 50 }, (_, row) => `line ${row + 1}`).join("\n"),
                theme: look.theme,
              }),
              look,
            ).slice(-3),
          ],
        ]),
    },
    {
      name: "thinking",
      rows(look) {
        const make = (isHidden: boolean) => {
          const clock = still();
          const block = new ThinkingBlock({
            theme: look.theme,
            clock,
            isHidden: () => isHidden,
            now: () => NOW,
          });
          block.append("The sun moves by fifteen degrees an hour.\nSo the dial divides by 15.");
          return block;
        };
        const done = make(true);
        done.finish();
        return captioned(look, [
          ["shown", rowsOf(make(false), look)],
          ["hidden, while it goes on", rowsOf(make(true), look)],
          ["hidden, over", rowsOf(done, look)],
        ]);
      },
    },
    {
      name: "activity",
      rows: (look) =>
        captioned(look, [
          ["waiting", activityRows([{ type: "agent_start" }], look)],
          [
            "a command",
            activityRows(
              [
                { type: "agent_start" },
                {
                  type: "tool_execution_start",
                  call: { type: "toolCall", id: "1", name: "bash", arguments: {} },
                },
              ],
              look,
            ),
          ],
          ["a summary", activityRows([{ type: "auto_compaction_start", reason: "manual" }], look)],
        ]),
    },
    {
      name: "waiting-messages",
      rows({ theme, columns }) {
        const list = new QueueList(theme, () => "Alt+Up");
        list.set([
          { id: "1", delivery: "steer", sender: "user", text: "and a test for it" },
          { id: "2", delivery: "followUp", sender: "user", text: "then tell me how" },
          { id: "3", delivery: "steer", sender: "job", text: "bash-1 is done" },
        ]);
        return list.render(columns).rows.slice(1);
      },
    },
    {
      name: "prompt-frame",
      rows: (look) =>
        captioned(
          look,
          ([undefined, "shell", "code"] as const).map((label) => [
            label ?? "words",
            new PromptFrame({
              theme: look.theme,
              editor: { state: "live", render: () => ({ rows: ["› a draft"], stableRows: 0 }) },
              border: () => (label === undefined ? "thinkingHigh" : "bashMode"),
              label: () => label,
            }).render(look.columns).rows,
          ]),
        ),
    },
    {
      name: "status-line",
      rows: (look) =>
        captioned(
          look,
          (["default", "minimal", "compact", "full"] as const).map((preset) => [
            preset,
            statusRows(preset, look),
          ]),
        ),
    },
    {
      name: "consent",
      rows: (look) =>
        captioned(look, [
          ["in full view, not armed yet", consentRows(look, "open", QUESTION)],
          ["armed", consentRows(look, "armed", QUESTION)],
          [
            "armed, with danger in it",
            consentRows(look, "armed", { ...QUESTION, guard: "it deletes" }),
          ],
        ]),
    },
    {
      name: "consent-waits",
      rows: (look) => {
        const strip = {
          asks: "bash asks",
          about: "rm -rf ../build && make install",
          how: "Ctrl+X answers",
        };
        return rowsOf(new QuestionStrip(look.theme, () => strip), look);
      },
    },
  ],
};

function consentRows(
  { theme, columns }: GalleryLook,
  standing: Standing,
  asked: typeof QUESTION,
): readonly string[] {
  const stage: Stage = {
    theme,
    bindings: new KeyBindings(SELECTION_ACTIONS),
    size: { columns, rows: 24 },
    requestRender: () => {},
    show: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(undefined),
    note: () => {},
  };
  const question = asked as unknown as ApprovalQuestion;
  const options = { question, stage, cwd: "/", standing: () => standing };
  const screen = new ApprovalScreen(options, () => {});
  if (standing === "armed") screen.begin();
  return screen.render(columns).rows;
}

function rowsOf(
  component: { render(columns: number): { rows: readonly string[] } },
  { columns }: GalleryLook,
): readonly string[] {
  return component.render(columns).rows;
}
