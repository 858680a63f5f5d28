// Everything that users and projects want a model to know, found and read: context files, system
// prompts of their own, rules and skills. Nothing of it runs; what a project says is material.

import { realpath } from "node:fs/promises";
import { homeOf } from "../config/places.ts";
import type { StreamRule } from "./stream-rule.ts";
import type { DiscoveredItem } from "../discovery/item.ts";
import { loadBody } from "../discovery/load-body.ts";
import { shownPath } from "../resources/local-path.ts";
import { UserError } from "../user-error.ts";
import { withImports, type ContextFile } from "./context-file.ts";
import { discoverInstructions, type InstructionPlace } from "./discover-instructions.ts";
import { sortRules } from "./sort-rules.ts";

export interface Listed {
  name: string;
  description: string;
  globs?: string;
}

export interface Instructions {
  /** Of a user or project, instead of Tau's own words; and behind them. */
  system?: string;
  append?: string;
  /** Instead of what a model is asked for a session's name with. */
  titles?: string;
  contextFiles: ContextFile[];
  /** Rules that always hold, whole. */
  rules: ContextFile[];
  /** Rules and skills that are read when they are needed. */
  rulebook: Listed[];
  skills: Listed[];
  /** Rules that are told when a reply breaks them. */
  streamRules: StreamRule[];
  /** What was found, for `skill://` and `rule://`. */
  items: readonly DiscoveredItem[];
  /** The project's root, without links. */
  root: string;
  notices: string[];
}

export async function gatherInstructions(place: InstructionPlace): Promise<Instructions> {
  const { cwd, env } = place;
  const home = homeOf(env);
  const found = await discoverInstructions(place, [
    "context",
    "system",
    "rules",
    "skills",
    "agents",
  ]);
  const { items } = found;
  const { root } = found.places;
  const notices: string[] = found.notice === undefined ? [] : [found.notice];
  const read = async (item: DiscoveredItem): Promise<string | undefined> => {
    try {
      return (await loadBody(item, root)).text.trim();
    } catch (error) {
      // One that cannot be read hides nothing else.
      if (!(error instanceof UserError)) throw error;
      notices.push(error.message);
      return undefined;
    }
  };
  const kind = (wanted: DiscoveredItem["kind"]) => items.filter((item) => item.kind === wanted);
  const realHome = await realpath(home).catch(() => home);
  const contextFiles: ContextFile[] = [];
  // The user's own first, then from the root down: the nearest has the last word.
  for (const item of kind("context").toSorted(outsideIn)) {
    const text = await read(item);
    if (!text) continue;
    const importRoot = item.level === "project" ? root : realHome;
    const whole = await withImports(item.realPath ?? item.path, text, { root: importRoot, home });
    contextFiles.push({ shown: shownPath(item.path, cwd), text: whole });
  }
  const rules: ContextFile[] = [];
  const rulebook: Listed[] = [];
  const watching = await sortRules(kind("rules"), { place, root, read, notices });
  for (const item of watching.others) {
    const { alwaysApply, description, globs } = item.frontmatter;
    if (alwaysApply === true || alwaysApply === "true") {
      const text = await read(item);
      if (text) rules.push({ shown: item.name, text });
    } else if (typeof description === "string" && description !== "") {
      rulebook.push({
        name: item.name,
        description,
        globs: globs === undefined ? undefined : String(globs),
      });
    }
  }
  const skills = kind("skills")
    .filter(({ frontmatter }) => !frontmatter.hide && !frontmatter["disable-model-invocation"])
    .map(({ name, frontmatter }) => ({ name, description: String(frontmatter.description ?? "") }));
  const words = async (wanted: string): Promise<string | undefined> => {
    const item = kind("system").find(({ name }) => name === wanted);
    return item && (await read(item));
  };
  const system = await words("SYSTEM");
  const append = await words("APPEND_SYSTEM");
  const titles = await words("TITLE_SYSTEM");
  return {
    system,
    append,
    titles,
    contextFiles,
    rules,
    rulebook,
    skills,
    streamRules: watching.rules,
    // What watches the stream is told when it is broken, and not read before.
    items: items.filter((item) => item.kind !== "rules" || watching.others.includes(item)),
    root,
    notices,
  };
}

function outsideIn(a: DiscoveredItem, b: DiscoveredItem): number {
  if (a.level !== b.level) return a.level === "user" ? -1 : 1;
  return b.depth - a.depth || (a.path < b.path ? -1 : 1);
}
