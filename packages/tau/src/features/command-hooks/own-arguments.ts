// The input that a hook wants a call to have, in the words of Tau's own tool. What cannot be carried over
// is refused: a call that runs otherwise than a hook wanted is worse than none.

import type { ToolView } from "./tool-views.ts";
import { withLines } from "./read-target.ts";

type Args = Record<string, unknown>;

/** Undefined if Tau's tool has no words for it. */
export function ownArguments(
  view: ToolView,
  updated: Args,
  { tool, arguments: args }: { tool: string; arguments: Readonly<Args> },
): Args | undefined {
  // What was not said is not there: JSON has no word for it.
  if (Bun.deepEquals(JSON.parse(JSON.stringify(view.tool_input)), updated)) return { ...args };
  switch (tool) {
    case "bash": {
      const { command, timeout, run_in_background: isAsync } = updated;
      const seconds = typeof timeout === "number" ? timeout / 1000 : args.timeout;
      return given({ ...args, command, timeout: seconds, async: isAsync ?? args.async });
    }
    case "read":
      if (view.tool_name === "WebFetch") return { ...args, path: updated.url };
      return { ...args, path: withLines(String(updated.file_path), updated.offset, updated.limit) };
    case "write":
      return { ...args, path: updated.file_path, content: updated.content };
    case "search":
      return given({ ...args, pattern: updated.pattern, paths: updated.path, i: updated["-i"] });
    case "find":
      return { ...args, paths: updated.pattern };
    case "ast_edit": {
      const { file_path: path, ...rest } = updated;
      return path === view.tool_input.file_path ? rest : { ...rest, paths: path };
    }
    case "edit":
      return "edits" in args ? replacements(updated) : undefined;
    default:
      return view.tool_name === tool ? updated : undefined;
  }
}

function replacements({ file_path: path, edits, ...single }: Args): Args {
  const list = Array.isArray(edits) ? (edits as Args[]) : [single];
  return {
    path,
    edits: list.map(({ old_string: oldText, new_string: newText, replace_all: replaceAll }) =>
      given({ oldText, newText, replaceAll }),
    ),
  };
}

function given(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
