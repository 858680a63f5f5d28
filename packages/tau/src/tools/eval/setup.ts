// Code cells in one session, with a way back to it: a cell may call tools and ask a model.

import { ToolError } from "@tau/agent/tool";
import { AGENT_RUNNER } from "../../feature-api/agent-runner.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import { WORKSPACE } from "../workspace.ts";
import type { EvalBridge } from "./bridge.ts";
import { complete } from "./complete.ts";
import { EVAL_ROWS, PYTHON_ROWS } from "./settings.ts";
import { CELLS, createEvalTool } from "./tool.ts";

export function setUpEval(host: FeatureHost): FeatureParts {
  const { settings } = host;
  const rows = { eval: settings.group(EVAL_ROWS), python: settings.group(PYTHON_ROWS) };
  const canStartAgents = host.toolNames.includes("task");
  const runAgent: EvalBridge["runAgent"] = async (prompt, given, signal) => {
    const runner = host.part(AGENT_RUNNER);
    if (!runner) throw new ToolError("No agents can be started here.");
    const { agentType: kind, model, label, schema } = given;
    return runner.run(prompt, { kind, model, label, schema }, signal);
  };
  const bridge: EvalBridge = {
    callTool: (name, args, signal) => host.callTool(name, args, signal),
    complete: (prompt, options, signal) => complete(host, prompt, options, signal),
    runAgent: canStartAgents ? runAgent : undefined,
    concurrency: () => host.part(AGENT_RUNNER)?.concurrency ?? 0,
  };
  const tool = createEvalTool(host.need(WORKSPACE), bridge, rows);
  return {
    tools: [tool],
    part: offer(CELLS, tool.cells),
    dispose: () => tool[Symbol.asyncDispose](),
  };
}
