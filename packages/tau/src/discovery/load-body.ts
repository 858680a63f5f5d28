// The text of an item, read when somebody wants it.

import { realpath } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import { UserError } from "../user-error.ts";
import { isBelow } from "../base/is-below.ts";
import { parseDocument } from "./document.ts";
import { parseFrontmatter } from "./frontmatter.ts";
import type { DiscoveredItem } from "./item.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import { fillPlugin } from "./plugins/fill-plugin.ts";
import { NotAFile, readBounded } from "../base/read-bounded.ts";

export interface ItemBody {
  /** Without the frontmatter. */
  text: string;
  /** It is longer than anything a model should read at once. */
  isCut: boolean;
}

/** `root` is the project's, for its items: a link may have appeared since they were found. */
export async function loadBody(item: DiscoveredItem, root?: string): Promise<ItemBody> {
  if (item.heldBack) throw new UserError(`${item.path} is held back: ${item.heldBack.why}.`);
  try {
    const real = await realpath(item.path);
    if (root !== undefined && item.level === "project" && !isBelow(real, root)) {
      throw new UserError(`${item.path} leads out of the project; remove the link.`);
    }
    const { text, isCut } = await readBounded(real, MAX_BODY_BYTES);
    if (item.bodyKey !== undefined) return { text: await fieldOf(item, text), isCut: false };
    const { body } = parseFrontmatter(text);
    return { text: item.plugin ? (fillPlugin(body, item.plugin) as string) : body, isCut };
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = systemCode(error);
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    throw new UserError(`${item.path} can no longer be read (${code ?? "not a file"}).`);
  }
}

async function fieldOf({ path, bodyKey }: DiscoveredItem, text: string): Promise<string> {
  const parsed = await parseDocument(path, text);
  const value = parsed.ok ? parsed.data[bodyKey!] : undefined;
  if (typeof value === "string") return value;
  throw new UserError(`${path} has no text under ${bodyKey}; write one.`);
}
