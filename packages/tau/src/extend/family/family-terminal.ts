// How the family's tools, messages and entries look in the terminal, by the renderers that they register.
// A renderer gives a component, the component rows; whoever shows them makes them harmless.

import type { Theme } from "@tau/tui/theme/theme";
import { sanitize } from "@tau/tui/width";
import type { EntryView, TerminalFeature } from "../../feature-api/terminal-feature.ts";
import type { CallLook, CallState, ToolView } from "../../feature-api/tool-view.ts";
import type { AnyCustomEntry } from "../../session/kinds/custom-kinds.ts";
import { familyTheme } from "./family-theme.ts";
import type { FamilyRenderer, FamilyTool, Registrations } from "./registrations.ts";

/** Runs something where the family's functions find their session. */
export type Within = <T>(work: () => T) => T;

export interface FamilyLooks {
  readonly registrations: Registrations;
  /** Tools whose calls are shown as somebody else wants. */
  readonly foreignTools: readonly string[];
  readonly within: Within;
}

export function familyTerminal({
  registrations,
  foreignTools,
  within,
}: FamilyLooks): TerminalFeature {
  const tools = [...registrations.tools.values()].filter(
    ({ name, renderCall, renderResult }) =>
      !foreignTools.includes(name) && (renderCall || renderResult) !== undefined,
  );
  const { messageRenderers, entryRenderers } = registrations;
  return {
    views: Object.fromEntries(tools.map((tool) => [tool.name, toolView(tool, within)])),
    entries: Object.fromEntries([
      ...mapped(entryRenderers, (renderer) => entryView(renderer, (entry) => entry, within)),
      ...mapped(messageRenderers, (renderer) => entryView(renderer, toMessage, within)),
    ]),
  };
}

function mapped<T, U>(given: ReadonlyMap<string, T>, make: (one: T) => U): [string, U][] {
  return [...given].map(([name, one]) => [name, make(one)]);
}

function entryView(
  renderer: FamilyRenderer,
  subjectOf: (entry: AnyCustomEntry) => unknown,
  within: Within,
): EntryView {
  return (entry, { theme, columns, detail }) =>
    within(() => {
      const options = { expanded: detail === "full" };
      const made = renderer(subjectOf(entry), options, familyTheme(theme));
      return made === undefined || made === null ? undefined : rowsOf(made, columns);
    });
}

/** A message that was sent as a string has a string for its content. */
function toMessage(entry: AnyCustomEntry): unknown {
  const message = { role: "custom", ...entry };
  if (entry.type !== "custom_message" || !entry.isText) return message;
  const [block, ...more] = entry.content;
  if (block?.type !== "text" || more.length > 0) return message;
  return { ...message, content: block.text };
}

function toolView(tool: FamilyTool, within: Within): ToolView {
  const rows = (state: CallState, look: CallLook): string[] =>
    within(() => [...callRows(tool, state, look), ...resultRows(tool, state, look)]);
  return {
    title(state, look) {
      const [first = ""] = within(() => callRows(tool, state, look));
      // The block says the name itself.
      const words = sanitize(first).trim();
      const name = [tool.name, tool.label].find((one) => one && words.startsWith(one));
      return [{ text: name === undefined ? words : words.slice(name.length).trim() }];
    },
    body: (state, look) => rows(state, look).slice(tool.renderCall ? 1 : 0),
  };
}

function callRows({ renderCall }: FamilyTool, state: CallState, look: CallLook): string[] {
  if (!renderCall) return [];
  // One branch of the family has the theme second, the other third: either finds both in it.
  const both = themeAnd(look.theme, contextOf(state, look));
  return rowsOf(renderCall(state.arguments, both, both), look.columns);
}

function resultRows({ renderResult }: FamilyTool, state: CallState, look: CallLook): string[] {
  const content = state.result?.content ?? partial(state);
  if (!content) return [];
  if (!renderResult)
    return content.flatMap((one) => (one.type === "text" ? one.text.split("\n") : []));
  const context = contextOf(state, look);
  const isError = state.result?.isError ?? false;
  const result = { content, details: state.details, isError };
  const made = renderResult(result, context, familyTheme(look.theme), context);
  return made === undefined || made === null ? [] : rowsOf(made, look.columns);
}

function partial({ output }: CallState): readonly { type: "text"; text: string }[] | undefined {
  return output === "" ? undefined : [{ type: "text", text: output }];
}

function contextOf({ arguments: args, phase, result }: CallState, look: CallLook): object {
  return {
    args,
    toolCallId: "",
    invalidate: () => {},
    lastComponent: undefined,
    state: {},
    cwd: look.cwd,
    executionStarted: phase !== "writing" && phase !== "waiting",
    argsComplete: phase !== "writing",
    isPartial: result === undefined,
    expanded: look.detail === "full",
    showImages: false,
    isError: result?.isError ?? false,
  };
}

function themeAnd(theme: Theme, more: object): object {
  return { ...familyTheme(theme), ...more };
}

function rowsOf(made: unknown, columns: number): string[] {
  const rows = (made as { render(width: number): unknown }).render(columns);
  if (Array.isArray(rows)) return rows.map(String);
  throw new TypeError("what was drawn is not a list of rows");
}
