// Skills and prompts that an extension of the family says where to find. Skills are named to the model, which
// reads them when it needs them; a prompt is a command of its name.

import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { userText } from "@tau/ai/message";
import { readBounded } from "../../base/read-bounded.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import { parseFrontmatter } from "../shims/agent/conversation.ts";
import { callHandlers, type EventPlace } from "./event-place.ts";

/** A page for a model to read; what is larger is something else. */
const MAX_PAGE_BYTES = 256 * 1024;
/** Somebody has put them together by hand. */
const MAX_PAGES = 200;

interface Page {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export async function discoverResources(
  place: EventPlace,
  reason: "startup" | "reload",
): Promise<void> {
  const { host, extension } = place;
  const { cwd } = host;
  const skills = new Set<string>();
  const prompts = new Set<string>();
  await callHandlers(place, { type: "resources_discover", cwd, reason }, (answer) => {
    for (const path of strings(answer.skillPaths)) skills.add(resolve(cwd, path));
    for (const path of strings(answer.promptPaths)) prompts.add(resolve(cwd, path));
    return "go on";
  });
  const pages = await pagesIn([...skills], skillsIn);
  if (pages.length > 0) {
    const list = pages.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
    const title = `Skills of the extension ${extension}; read the file when a task calls for one:`;
    host.session.system = [...host.session.system, [title, ...list].join("\n")];
  }
  const commands = (await pagesIn([...prompts], promptsIn)).map((page) => commandOf(page));
  if (commands.length > 0) {
    host.session.join({ owner: { kind: "extension", name: extension }, commands });
  }
}

function strings(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}

async function pagesIn(
  paths: readonly string[],
  find: (path: string) => Promise<readonly string[]>,
): Promise<Page[]> {
  const files = (await Promise.all(paths.map(find))).flat();
  return Promise.all([...new Set(files)].slice(0, MAX_PAGES).map(readPage));
}

async function readPage(path: string): Promise<Page> {
  const { text } = await readBounded(path, MAX_PAGE_BYTES);
  const { frontmatter, body } = parseFrontmatter(text);
  const stem = basename(path, extname(path));
  const own = stem === "SKILL" ? basename(resolve(path, "..")) : stem;
  const { name = own, description = "" } = frontmatter;
  return { path, name: String(name), description: String(description), body: body.trim() };
}

/** A file, a directory that is one, or a directory of such. */
async function skillsIn(path: string): Promise<readonly string[]> {
  if (await isFile(path)) return [path];
  if (await isFile(join(path, "SKILL.md"))) return [join(path, "SKILL.md")];
  const inside = (await readdir(path)).toSorted().map((name) => join(path, name, "SKILL.md"));
  const found = await Promise.all(inside.map(isFile));
  return inside.filter((_, at) => found[at]);
}

async function promptsIn(path: string): Promise<readonly string[]> {
  if (await isFile(path)) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => join(path, name));
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

function commandOf({ name, description, body }: Page): SessionCommand {
  return {
    name,
    help: description.split("\n", 1)[0]!,
    async run({ session }, argument) {
      await session.prompt(userText(filled(body, argument)), { source: "extension" });
      return undefined;
    },
  };
}

/** `$1`, `$@` and `$ARGUMENTS`; a text without any gets what was given at its end. */
function filled(body: string, argument: string): string {
  const words = argument.split(/\s+/).filter(Boolean);
  let isUsed = false;
  const text = body.replace(/\$(?:(\d+)|@|ARGUMENTS\b)/g, (_, nth?: string) => {
    isUsed = true;
    return nth === undefined ? words.join(" ") : (words[Number(nth) - 1] ?? "");
  });
  return isUsed || words.length === 0 ? text : `${text}\n\n${words.join(" ")}`;
}
