// The view of a tool before its own is loaded, and of one that has none.

import { cleanLine } from "@tau/tui/components/clean-text";
import type { ToolView } from "../../../feature-api/tool-view.ts";

/** No title needs more, whatever a model writes into an argument. */
const MAX_TITLE_CHARS = 400;

export const plainToolView: ToolView = {
  title({ arguments: args }, { theme }) {
    const words = [args.command, args.path, args.pattern, ...Object.values(args)];
    const subject = words.find((value) => typeof value === "string") as string | undefined;
    const text = cleanLine((subject ?? "").slice(0, MAX_TITLE_CHARS).replace(/\s+/g, " "));
    return [{ text, paint: theme.style("toolTitle") }];
  },
  body: () => [],
};
