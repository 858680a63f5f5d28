// Code cells in one session, with a way back to it: a cell may call tools and ask a model.

import { ToolError } from "@tau/agent/tool";
import { textOf, userText } from "@tau/ai/message";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import { WORKSPACE } from "../workspace.ts";
import type { EvalBridge } from "./bridge.ts";
import { EVAL_ROWS, PYTHON_ROWS } from "./settings.ts";
import { CELLS, createEvalTool } from "./tool.ts";

export function setUpEval(host: FeatureHost): FeatureParts {
  const { settings } = host;
  const rows = { eval: settings.group(EVAL_ROWS), python: settings.group(PYTHON_ROWS) };
  const bridge: EvalBridge = {
    callTool: (name, args, signal) => host.callTool(name, args, signal),
    complete: async (prompt, { system }, signal) => {
      const request = { system: system ? [system] : [], messages: [userText(prompt)] };
      const reply = await host.line.ask(request, { purpose: "cell", roles: ["smol"], signal });
      if (reply.error) throw new ToolError(reply.error.message);
      return textOf(reply);
    },
  };
  const tool = createEvalTool(host.need(WORKSPACE), bridge, rows);
  return {
    tools: [tool],
    part: offer(CELLS, tool.cells),
    dispose: () => tool[Symbol.asyncDispose](),
  };
}
