// What was run, as people write it: a command or code as it is, anything else as the arguments have it.

import type { ToolWork } from "../projection/block.ts";

/**
 * What people are told of work beside its name: a count, an exit code, how long it took. A port: the views
 * of tools know it, and an export is made without them as well.
 */
export type RemarksOn = (work: ToolWork) => readonly string[];

export const noRemarks: RemarksOn = () => [];

export interface WorkText {
  text: string;
  /** For the fence that it stands in. */
  language: "sh" | "json" | "";
}

/** `sign`: before a line of the user's own. */
export function workText({ arguments: args }: ToolWork, sign?: string): WorkText {
  const code = codeIn(args);
  if (code === undefined) return { text: JSON.stringify(args, null, 2), language: "json" };
  const text = sign === undefined ? code : `${sign} ${code}`;
  return { text, language: typeof args.command === "string" ? "sh" : "" };
}

/** Only if it says all that the arguments say. */
function codeIn(args: ToolWork["arguments"]): string | undefined {
  const [key, ...more] = Object.keys(args);
  if (more.length > 0) return undefined;
  if (key === "command" && typeof args.command === "string") return args.command;
  if (key !== "cells" || !Array.isArray(args.cells)) return undefined;
  const cells: readonly unknown[] = args.cells;
  const codes = cells.flatMap((cell) => {
    const { code } = (cell ?? {}) as { code?: unknown };
    return typeof code === "string" ? [code] : [];
  });
  return codes.length === cells.length ? codes.join("\n\n") : undefined;
}
