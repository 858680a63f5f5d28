// What extensions import of the family's main package.

export * from "./agent/conversation.ts";
export * from "./agent/places.ts";
export * from "./agent/settings.ts";
export * from "./agent/themes.ts";
export * from "./agent/tools.ts";
export * from "./agent/truncation.ts";
export { BorderedLoader } from "./tui/loader.ts";
export { DynamicBorder } from "./tui/basics.ts";
export { Editor as CustomEditor } from "./tui/inputs.ts";

/** For the types alone. */
export function defineTool<T>(tool: T): T {
  return tool;
}
