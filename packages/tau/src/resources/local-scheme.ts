// `local://NAME`: files of the session's own, outside the project. A place for notes and for
// what several agents of a session share.

import { join, normalize } from "node:path";
import { ToolError } from "@tau/agent/tool";
import type { Scheme } from "./schemes.ts";
import { statIfThere } from "./stat-if-there.ts";

const PREFIX = "local://";

export function isLocalAddress(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** A `ToolError` where it would lead out of the session's own directory. */
export function localPath(address: string, root: string): string {
  const inside = normalize(`/${address.slice(PREFIX.length)}`);
  if (address.includes("\0") || address.slice(PREFIX.length).split(/[\\/]/).includes("..")) {
    throw new ToolError(`${address} leads out of local://; name a file inside of it.`);
  }
  return join(root, inside);
}

export function localScheme(root: () => string): Scheme {
  return {
    name: "local",
    example: "local://notes.md",
    isFiles: true,
    async open({ path: name }, { selector }) {
      const shown = `${PREFIX}${name}`;
      const path = localPath(shown, root());
      const found = await statIfThere(path);
      if (!found && name === "") {
        return { type: "text", shown, text: "(there is nothing here yet)", notes: [] };
      }
      if (!found) throw new ToolError(`${shown} does not exist; write it first, or read local://.`);
      const type = found.isDirectory() ? "directory" : "file";
      return { type, path, shown, notes: [], selector };
    },
  };
}
