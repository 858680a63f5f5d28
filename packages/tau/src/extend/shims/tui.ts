// What extensions import of the family's terminal package.

export * from "./tui/basics.ts";
export * from "./tui/fuzzy.ts";
export * from "./tui/inputs.ts";
export * from "./tui/keys.ts";
export * from "./tui/lists.ts";
export * from "./tui/loader.ts";
export * from "./tui/markdown.ts";
export * from "./tui/terminal-things.ts";
export * from "./tui/widths.ts";
