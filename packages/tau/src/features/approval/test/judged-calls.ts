// Calls of every tool, judged as a session would judge them: the tools' own assessment, the settings
// from real files, the behaviour that stands before every call.

import type { CallAssessment, Tool } from "@tau/agent/tool";
import { CodeMemory } from "@tau/host/code-reading/code-memory";
import type { ScratchDirectory } from "@tau/testkit/scratch";
import { openUserSettings } from "../../open-user-settings.ts";
import type { Settings } from "../../../config/settings.ts";
import { disabledSourcesFrom } from "../../../discovery/settings.ts";
import { assessCells, type CellParams } from "../../../tools/assess-cells.ts";
import { workspaceTools } from "../../test/workspace-tools.ts";
import { Workspace } from "../../../tools/workspace.ts";
import { loadForeignRules } from "../load-foreign-rules.ts";
import { openApproval } from "../open-approval.ts";
import type { ApprovalMode } from "../settings.ts";

/** Of each tool at least one; harmless, changing and dangerous ones. */
const SAMPLES: readonly (readonly [tool: string, params: unknown])[] = [
  ["read", { path: "a.txt" }],
  ["read", { path: ".env" }],
  ["search", { pattern: "x", paths: "." }],
  ["find", { pattern: "*.ts" }],
  ["ast_grep", { pattern: "f($A)" }],
  ["ast_edit", { ops: [] }],
  ["write", { path: "new.txt", content: "x\n" }],
  ["write", { path: "../outside.txt", content: "x\n" }],
  ["edit", { path: "a.txt", edits: [{ oldText: "a", newText: "b" }] }],
  ["bash", { command: "ls -la" }],
  ["bash", { command: "touch x" }],
  ["bash", { command: "git push origin main" }],
  ["bash", { command: "rm -rf ../precious" }],
  ["job", { action: "list" }],
  ["eval", { cells: [{ language: "js", code: "1 + 1" }] }],
  ["ssh", { host: "web", command: "uptime" }],
  ["ask", { questions: [] }],
  ["checkpoint", { goal: "x" }],
  ["rewind", { report: "x" }],
  ["todo", { ops: [] }],
  ["resolve", { action: "discard", reason: "x" }],
  ["task", { agent: "task", tasks: [{ assignment: "x" }] }],
  ["irc", { op: "list" }],
  ["yield", { result: "x" }],
  ["submit_plan", { title: "x", plan: "x" }],
];

/** Made by features of a whole session; they touch nothing of the machine. */
const OF_CONVERSATION = new Set(
  "ask checkpoint rewind todo resolve task irc yield submit_plan".split(" "),
);

export interface JudgedCall {
  name: string;
  tool: Pick<Tool, "name" | "tier" | "assess">;
  params: unknown;
}

/** What a call would do does not depend on the settings: it is worked out once. */
export async function judgedCalls({ root }: ScratchDirectory): Promise<JudgedCall[]> {
  await using workspace = new Workspace({
    cwd: root,
    env: { HOME: root },
    settings: { editMode: "replace" },
  });
  const session = { python: new CodeMemory(), javascript: new CodeMemory() };
  const world = { workspace, session, directoryOf: () => root, isPythonForgetful: false };
  const tools = new Map((await workspaceTools(workspace)).map((tool) => [tool.name, tool]));
  return Promise.all(
    SAMPLES.map(async ([name, params]) => {
      const tool = tools.get(name);
      const assessment: CallAssessment | undefined =
        name === "eval"
          ? (await assessCells(world, params as CellParams)).assessment
          : await tool?.assess?.(params);
      const tier = tool?.tier ?? (OF_CONVERSATION.has(name) ? "read" : "exec");
      return {
        name: `${name} ${JSON.stringify(params)}`,
        tool: { name, tier, assess: assessment && (async () => assessment) },
        params,
      };
    }),
  );
}

export type Outcome = "allow" | "ask" | "block";

export interface Judged {
  settings: Settings;
  outcomes: Record<string, Outcome>;
  reasons: Record<string, string>;
}

export async function judge(
  { root }: ScratchDirectory,
  calls: readonly JudgedCall[],
  { mode, cwd = root }: { mode?: ApprovalMode | undefined; cwd?: string } = {},
): Promise<Judged> {
  const place = { cwd, env: { HOME: root } };
  const settings = await openUserSettings(place);
  const disabledSources = disabledSourcesFrom(settings);
  const foreign = await loadForeignRules({ ...place, disabledSources });
  const approval = openApproval(settings, {
    env: place.env,
    foreign,
    mode,
    project: place.cwd,
    cwd: place.cwd,
  });
  const outcomes: Judged["outcomes"] = {};
  const reasons: Judged["reasons"] = {};
  for (const { name, tool, params } of calls) {
    const answer = await approval.judge({ tool, params });
    outcomes[name] = isOutcome(answer.type) ? answer.type : "allow";
    if ("reason" in answer) reasons[name] = String(answer.reason);
  }
  return { settings, outcomes, reasons };
}

function isOutcome(type: string): type is Outcome {
  return type === "allow" || type === "ask" || type === "block";
}

/** Calls that run unasked now and did not before. */
export function looser(intended: Judged, broken: Judged): string[] {
  return Object.keys(intended.outcomes).filter(
    (name) => intended.outcomes[name] !== "allow" && broken.outcomes[name] === "allow",
  );
}
