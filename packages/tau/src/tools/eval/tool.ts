// The eval tool: cells of Python and JavaScript that share what they define, from call to call.

import { defineTool, ToolError, type Tool, type ToolContent } from "@tau/agent/tool";
import {
  array,
  boolean,
  description,
  integer,
  maxValue,
  minLength,
  minValue,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
} from "valibot";
import { partKey } from "../../base/part.ts";
import { COLLECTED_LIMITS } from "../bash/collect-output.ts";
import type { Workspace } from "../workspace.ts";
import type { EvalBridge } from "./bridge.ts";
import type { CellParams } from "../assess-cells.ts";
import { JudgedCalls } from "./judged-calls.ts";
import { KernelSet, LANGUAGES, type Language } from "./kernels.ts";
import agentsPrompt from "./prompt-agents.md" with { type: "text" };
import modelsPrompt from "./prompt-models.md" with { type: "text" };
import prompt from "./prompt.md" with { type: "text" };
import {
  DEFAULT_TIMEOUT_S,
  MAX_TIMEOUT_S,
  pendingReport,
  runCells,
  type CellReport,
  type CellsPlace,
} from "./run-cells.ts";
import { DEFAULT_EVAL_SETTINGS, type EvalSettings } from "./settings.ts";
import { refuseTouch } from "./refuse-touch.ts";
import { Transcript } from "./transcript.ts";

const cell = strictObject({
  language: pipe(picklist(LANGUAGES), description("py: Python; js: JavaScript or TypeScript")),
  code: pipe(string(), description("As it is, without fences")),
  title: optional(pipe(string(), description("A few words"))),
  timeout: optional(
    pipe(
      number(),
      integer(),
      minValue(1),
      maxValue(MAX_TIMEOUT_S),
      description(`Seconds; ${DEFAULT_TIMEOUT_S}`),
    ),
  ),
  reset: optional(pipe(boolean(), description("Start this language anew before the cell"))),
});

const parameters = strictObject({ cells: pipe(array(cell), minLength(1)) });

/** For renderers. */
export interface EvalDetails {
  cells: CellReport[];
  /** In the order of their first use. */
  languages: Language[];
  jsonOutputs: unknown[];
  artifactId?: string;
}

/** What cells of a person need to run beside the model's, in the same kernels. */
export interface CellHome extends Omit<CellsPlace, "transcript" | "signal" | "touch"> {
  calls: JudgedCalls;
}

/** The session's; absent if it has no cells. */
export const CELLS = partKey<CellHome>("cells");

export interface EvalTool extends Tool, AsyncDisposable {
  readonly cells: CellHome;
}

/** Dispose of it with the session: kernels go on between calls. */
export function createEvalTool(
  workspace: Workspace,
  bridge: EvalBridge = {},
  settings: EvalSettings = DEFAULT_EVAL_SETTINGS,
): EvalTool {
  const kernels = new KernelSet(workspace, settings);
  const isPythonForgetful = settings.python.kernelMode === "per-call";
  const calls = new JudgedCalls(workspace, kernels, isPythonForgetful);
  const tool = defineTool({
    name: "eval",
    description: descriptionFor(bridge),
    parameters,
    tier: "exec",
    concurrency: "exclusive",
    limits: COLLECTED_LIMITS,
    assess: (params) => calls.assess(params as CellParams),
    async execute(params, context) {
      const { cells } = params;
      await calls.begin(params);
      const transcript = new Transcript(workspace.artifacts, context.update);
      const reports = cells.map(pendingReport);
      const failure = await runCells(cells, reports, {
        kernels,
        workspace,
        bridge,
        transcript,
        signal: context.signal,
        isPythonForgetful,
        touch: (path) => refuseTouch(workspace, params, path),
      });
      calls.ended(params, failure === undefined);
      const { text, images, artifactId } = await transcript.finish();
      if (failure !== undefined) {
        const words = [text, `[${failure}]`].filter(Boolean).join("\n");
        throw new ToolError(failure, [{ type: "text", text: words }, ...images], artifactId);
      }
      const whole = artifactId === undefined ? {} : { artifactId };
      const details: EvalDetails = {
        cells: reports,
        languages: [...new Set(cells.map(({ language }) => language))],
        jsonOutputs: transcript.jsonOutputs,
        ...whole,
      };
      const content: ToolContent[] = [{ type: "text", text: text || "(no output)" }, ...images];
      return { content, details, ...whole };
    },
  });
  return Object.assign(tool, {
    cells: { kernels, workspace, bridge, isPythonForgetful, calls },
    [Symbol.asyncDispose]: () => kernels[Symbol.asyncDispose](),
  });
}

function descriptionFor({ complete, runAgent }: EvalBridge): string {
  const words = [prompt, complete && modelsPrompt, runAgent && agentsPrompt];
  return words.flatMap((one) => (one === undefined ? [] : [one.trim()])).join("\n");
}
