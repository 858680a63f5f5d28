// A result in the form in which hooks expect it of the tool that the call is shown as.

import type { ToolView } from "./tool-views.ts";

export function responseFor(
  { tool_name: name, tool_input: input }: ToolView,
  text: string,
): object {
  switch (name) {
    case "Bash":
      // Both streams come as one here.
      return { stdout: text, stderr: "", interrupted: false, isImage: false };
    case "Edit":
    case "MultiEdit":
    case "Write":
      return { filePath: input.file_path, success: true, content: text };
    default:
      return { content: text };
  }
}
