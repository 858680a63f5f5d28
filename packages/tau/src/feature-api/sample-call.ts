// A call of a tool as the gallery needs it: what it is given and what comes of it, from which
// every phase of it is made.

import type { ImageBlock, ToolResultMessage } from "@tau/ai/message";
import type { CallPhase, CallState } from "./tool-view.ts";

export interface SampleCall {
  name: string;
  /** What the gallery calls it, where a tool has several. */
  variant?: string;
  arguments: Readonly<Record<string, unknown>>;
  /** As far as they have come while they are written. */
  written: Readonly<Record<string, unknown>>;
  /** What it has printed while it runs. */
  output?: string;
  done: {
    text: string;
    details?: unknown;
    images?: readonly ImageBlock[];
    later?: CallState["later"];
  };
  failed: string;
}

const REFUSED = "The user said no (it writes outside of the project). Ask what to do.";
const STOPPED = "The call was aborted.";

export function statesOf(call: SampleCall): CallState[] {
  const base = { name: call.name, arguments: call.arguments, output: "" };
  const output = call.output ?? "";
  const ended = (phase: CallPhase, text: string): CallState => ({
    ...base,
    phase,
    output: phase === "refused" ? "" : output,
    result: resultOf(call.name, text, []),
  });
  return [
    { ...base, arguments: call.written, phase: "writing" },
    { ...base, phase: "waiting" },
    { ...base, phase: "running", output },
    {
      ...base,
      phase: "done",
      output,
      result: resultOf(call.name, call.done.text, call.done.images ?? []),
      details: call.done.details,
      later: call.done.later,
    },
    ended("failed", call.failed),
    ended("refused", REFUSED),
    ended("stopped", STOPPED),
  ];
}

function resultOf(
  toolName: string,
  text: string,
  images: readonly ImageBlock[],
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: "call",
    toolName,
    content: [{ type: "text", text }, ...images],
    isError: false,
    timestamp: 0,
  };
}
