// One line that tells what a tool call is about, before and while it runs.

import type { ToolCallBlock } from "@tau/ai/message";
import { fitLine } from "@tau/tui/width";

export function toolHeadline(
  call: Readonly<Pick<ToolCallBlock, "name">> & { arguments: Readonly<Record<string, unknown>> },
  columns: number,
): string {
  const { command, path } = call.arguments;
  const subject = [command, path, ...Object.values(call.arguments)].find(
    (value) => typeof value === "string",
  );
  return fitLine(subject === undefined ? call.name : `${call.name}  ${subject}`, columns);
}
