// What extensions import of the family's main package.

export * from "./agent/conversation.ts";
export * from "./agent/places.ts";
export * from "./agent/settings.ts";
export * from "./agent/themes.ts";
export * from "./agent/bash-tool.ts";
export * from "./agent/file-tools.ts";
export * from "./agent/search-tools.ts";
export * from "./agent/truncation.ts";
export { BorderedLoader } from "./tui/loader.ts";
// One branch of the family hands these on from its package for the terminal.
export { Container, DynamicBorder, Spacer, Text } from "./tui/basics.ts";
export { Markdown } from "./tui/markdown.ts";
export { Editor as CustomEditor } from "./tui/inputs.ts";

/** For the types alone. */
export function defineTool<T>(tool: T): T {
  return tool;
}
