// The family's handlers look at a call before it runs: they block it, or change its arguments by writing into
// them. Those that guard files go by `path`; a call that names its files in a patch is shown to them once for
// each file, with its path, so that none of them passes by unseen.

import type { Answer, Told } from "@tau/agent/hook-points";
import { callHandlers, type EventPlace } from "./event-place.ts";

const NO_REASON = "An extension blocked this call.";

export async function judgeToolCall(
  place: EventPlace,
  { call, arguments: args }: Told<"tool_call">,
): Promise<Answer<"tool_call"> | undefined> {
  const toolName = call.name;
  const paths = await unnamedPaths(place, toolName, args);
  let input = structuredClone(args);
  for (const path of paths.length > 0 ? paths : [undefined]) {
    const shown = path === undefined ? input : { ...input, path };
    const event = { type: "tool_call", toolName, toolCallId: call.id, input: shown };
    let reason: string | undefined;
    // Whoever throws has not judged: the call is blocked.
    await callHandlers({ ...place, attempt: place.call }, event, (answer) => {
      // In one branch of the family arguments are changed by an answer.
      if (typeof answer.input === "object" && answer.input !== null) {
        event.input = answer.input as typeof input;
      }
      if (answer.block !== true) return "go on";
      reason = typeof answer.reason === "string" && answer.reason ? answer.reason : NO_REASON;
      return "enough";
    });
    if (reason !== undefined) return { type: "block", reason };
    if (path === undefined) {
      input = event.input;
      continue;
    }
    const { path: after, ...rest } = event.input;
    if (after !== path) {
      const why = `An extension wants ${toolName} to change another file than ${path}; it has to be called anew.`;
      return { type: "block", reason: why };
    }
    input = rest;
  }
  return Bun.deepEquals(input, args) ? undefined : { type: "rewrite", arguments: input };
}

/** The files that a call of one of Tau's tools would change, if its arguments have no `path` of their own. */
async function unnamedPaths(
  { host }: EventPlace,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  if (toolName !== "edit" || "path" in args) return [];
  const assessment = await host.session.tools.get(toolName)?.assess?.(structuredClone(args));
  return (assessment?.changes ?? []).flatMap(([path]) => path ?? []);
}
