// `skill://NAME` and `rule://NAME`: what the prompt only lists, read when it is needed. A skill may
// bring further files: `skill://NAME/references/x.md`.

import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ToolError } from "@tau/agent/tool";
import { suggest } from "../base/suggest.ts";
import type { Instructions } from "./gather-instructions.ts";
import type { DiscoveredItem } from "../discovery/item.ts";
import { loadBody } from "../discovery/load-body.ts";
import { UserError } from "../user-error.ts";
import type { Resource } from "../resources/resource.ts";
import type { Scheme } from "../resources/schemes.ts";

export function instructionSchemes(found: Instructions): Scheme[] {
  return [scheme("skill", "skills", found), scheme("rule", "rules", found)];
}

function scheme(name: "skill" | "rule", kind: DiscoveredItem["kind"], found: Instructions): Scheme {
  const items = found.items.filter((item) => item.kind === kind);
  return {
    name,
    example: `${name}://NAME`,
    async open({ path }) {
      const decoded = decode(path);
      const [wanted = "", ...rest] = decoded.split("/");
      const item = items.find((one) => one.name === wanted);
      const shown = `${name}://${path}`;
      if (!item) throw new ToolError(unknown(name, wanted, items));
      if (rest.length === 0) return text(shown, await body(item, found.root));
      if (name === "rule") throw new ToolError(`A rule is one file: read rule://${wanted}.`);
      return text(shown, await fileOf(item, rest, found));
    },
    list: async () => items.map((item) => `${name}://${item.name}`),
  };
}

function text(shown: string, content: string): Resource {
  // All of it: half a playbook is none.
  return { type: "text", shown, text: content, notes: [], lines: Number.MAX_SAFE_INTEGER };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ToolError(`${path} is not an address; write the name as it is listed.`);
  }
}

async function body(item: DiscoveredItem, root: string): Promise<string> {
  try {
    return (await loadBody(item, root)).text.trim();
  } catch (error) {
    if (error instanceof UserError) throw new ToolError(error.message);
    throw error;
  }
}

async function fileOf(item: DiscoveredItem, rest: string[], found: Instructions): Promise<string> {
  const directory = dirname(item.realPath ?? item.path);
  const outside = new ToolError(`${rest.join("/")} is not a file of ${item.name}.`);
  if (rest.some((part) => part === ".." || part === "" || part.includes("\\"))) throw outside;
  try {
    const real = await realpath(join(directory, ...rest));
    const inside = relative(directory, real);
    if (inside.startsWith("..") || inside.startsWith("/")) throw outside;
    return await readFile(real, "utf8");
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    const below = item.level === "project" ? relative(found.root, directory) : directory;
    throw new ToolError(`${rest.join("/")} does not exist; use find in ${below}.`);
  }
}

function unknown(name: string, wanted: string, items: readonly DiscoveredItem[]): string {
  const names = items.map((item) => item.name);
  if (names.length === 0) return `There are no ${name}s here.`;
  const near = suggest(wanted, names);
  const hint = near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`;
  return `There is no ${name} "${wanted}". ${hint}`;
}
