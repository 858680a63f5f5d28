// Which modules a session is to have, in which order: those of the project, if the user trusts it, those
// of the user, of plugins, of the command line, of the settings. A module that is named twice is loaded
// once, where it comes first.

import { resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { agentDirectory, expandHome, homeOf } from "../config/places.ts";
import type { Settings } from "../config/settings.ts";
import { disabledNames, EXTENSION_ROWS } from "../discovery/extension-settings.ts";
import { isInForce, type DiscoveredItem } from "../discovery/item.ts";
import { mayFind } from "../discovery/may-find.ts";
import { disabledSourcesFrom } from "../discovery/settings.ts";
import type { ProjectTrust } from "../trust/project-trust.ts";
import type { VouchedFiles } from "../trust/vouched-files.ts";
import {
  moduleName,
  moduleNameIn,
  type ExtensionSource,
  type ModuleKind,
  type ModuleOrigin,
} from "./extension-source.ts";
import {
  moduleEntries,
  pluginModuleEntries,
  within,
  type ModuleEntries,
} from "./module-entries.ts";

export interface ExtensionWish {
  /** Whether those that lie around, and those in the settings, are wanted; they are if absent. */
  discover?: boolean;
  /** Of the command line: wanted in any case, trusted or not, because a person names them. */
  paths?: readonly string[];
  /** Flags that none of Tau's own is, as they were given. */
  flags?: Readonly<Record<string, string | true>>;
}

export interface FoundExtensions {
  readonly sources: readonly ExtensionSource[];
  /** Sentences for the user. */
  readonly notices: readonly string[];
}

interface Place {
  cwd: string;
  env: Environment;
  settings: Settings;
}

/** Kinds of things that are modules; a tool's or a hook's file may be something else, too. */
const MODULE_KINDS: Readonly<Record<string, ModuleKind>> = {
  extensions: "extension",
  tools: "tool",
  hooks: "hook",
};
const MODULE_KIND_IDS = ["extensions", "tools", "hooks"] as const;
const MODULE_FILE = /\.(?:ts|js|mjs|mts)$/;
/** People paste paths from web pages. */
const UNICODE_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Whether it is worth looking: whoever has none pays for no search. */
export function mayHaveExtensions(wish: ExtensionWish, { cwd, env, settings }: Place): boolean {
  if ((wish.paths ?? []).length > 0) return true;
  if (!(wish.discover ?? true)) return false;
  if (settings.group(EXTENSION_ROWS).extensions.length > 0) return true;
  const search = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  return mayFind(MODULE_KIND_IDS, search);
}

export async function findExtensions(wish: ExtensionWish, place: Place): Promise<FoundExtensions> {
  const { settings } = place;
  const found = new Sources();
  const { extensions, disabledExtensions } = settings.group(EXTENSION_ROWS);
  if (wish.discover ?? true) {
    await discovered(place, found);
    found.leaveOut(disabledNames(disabledExtensions));
  }
  for (const path of wish.paths ?? []) await named(path, "flag", place, found);
  if (wish.discover ?? true) {
    const beside = new Sources();
    const { given } = settings.explain("extensions", EXTENSION_ROWS.rows.extensions);
    const isOfProject = given.at(-1)?.layer === "project";
    for (const path of extensions) {
      if (typeof path === "string" && isOfProject) await namedByProject(path, place, beside);
      else if (typeof path === "string") await named(path, "setting", place, beside);
      else beside.notices.push(`extensions: ${JSON.stringify(path)} is not a path; it is ignored`);
    }
    beside.leaveOut(disabledNames(disabledExtensions));
    found.takeAll(beside);
  }
  return found;
}

class Sources implements FoundExtensions {
  readonly notices: string[] = [];
  #byPath = new Map<string, ExtensionSource>();

  get sources(): ExtensionSource[] {
    return [...this.#byPath.values()];
  }

  add(source: ExtensionSource): void {
    if (!this.#byPath.has(source.path)) this.#byPath.set(source.path, source);
  }

  takeAll({ sources, notices }: FoundExtensions): void {
    for (const source of sources) this.add(source);
    this.notices.push(...notices);
  }

  leaveOut(names: ReadonlySet<string>): void {
    for (const { path, name } of this.sources) {
      if (names.has(name) || names.has(moduleName(path))) this.#byPath.delete(path);
    }
  }
}

/** What lies in the directories for it, as far as trust allows. */
async function discovered({ cwd, env, settings }: Place, found: Sources): Promise<void> {
  const { discover } = await import("../discovery/discover.ts");
  const { items } = await discover({
    cwd,
    home: homeOf(env),
    agentDirectory: agentDirectory(env),
    kinds: MODULE_KIND_IDS,
    disabledSources: disabledSourcesFrom(settings),
  });
  const modules = items.filter(isModule);
  const { trusted, vouched } = await underTrust(modules, { cwd, env }, found);
  // The project's come before the user's: nearer beats farther everywhere. What is installed comes last.
  const [installed, own] = partitioned(trusted);
  for (const items of [own, installed]) {
    for (const level of ["project", "user"] as const) {
      for (const item of items) {
        if (item.level === level)
          await taken(item, level === "project" ? vouched : undefined, found);
      }
    }
  }
}

function partitioned(items: readonly DiscoveredItem[]): [DiscoveredItem[], DiscoveredItem[]] {
  return [items.filter(({ plugin }) => plugin), items.filter(({ plugin }) => !plugin)];
}

function isModule(item: DiscoveredItem): boolean {
  if (!(item.kind in MODULE_KINDS) || item.member) return false;
  if (item.path.endsWith(".d.ts")) return false;
  return MODULE_FILE.test(item.path) || item.path.endsWith("package.json");
}

async function underTrust(
  items: readonly DiscoveredItem[],
  place: Pick<Place, "cwd" | "env">,
  found: Sources,
): Promise<{ trusted: readonly DiscoveredItem[]; vouched?: VouchedFiles }> {
  // Most projects have none: then nothing has to be asked.
  if (!items.some(({ level }) => level === "project")) return { trusted: items.filter(isInForce) };
  const [trust, { underTrust: held, standingState }, { heldBackNotice }] = await Promise.all([
    projectTrustOf(place),
    import("../trust/project-trust.ts"),
    import("../trust/held-back-notice.ts"),
  ]);
  const standing = held(items, trust);
  const count = standing.filter(({ heldBack }) => heldBack !== undefined).length;
  const what = count === 1 ? "its extension is" : `its ${count} extensions are`;
  const told = { ...trust, state: standingState(standing, trust) };
  const notice = count > 0 ? heldBackNotice(told, `${what} not loaded`) : undefined;
  if (notice !== undefined) found.notices.push(notice);
  return { trusted: standing.filter(isInForce), vouched: trust.vouched };
}

async function projectTrustOf({ cwd, env }: Pick<Place, "cwd" | "env">): Promise<ProjectTrust> {
  const { trustOf } = await import("../trust/project-standing.ts");
  const trust = await trustOf(cwd, env);
  if (trust.state !== "trusted") (await import("./vouched-modules.ts")).forgetVouched(trust.root);
  return trust;
}

async function taken(
  item: DiscoveredItem,
  vouched: VouchedFiles | undefined,
  found: Sources,
): Promise<void> {
  const { level, realPath = item.path, plugin } = item;
  const kind = MODULE_KINDS[item.kind]!;
  const origin: ModuleOrigin = plugin ? "plugin" : level;
  const name = plugin ? `${plugin.name}/${moduleName(realPath)}` : item.name;
  if (!realPath.endsWith("package.json")) {
    found.add({ path: realPath, name, kind, origin, packageRoot: plugin?.root, vouched });
    return;
  }
  const directory = resolve(realPath, "..");
  const entries = plugin
    ? await pluginModuleEntries(directory, plugin.root)
    : await moduleEntries(directory);
  const { files, packageRoot, packageName = name, problem } = entries;
  if (problem !== undefined) found.notices.push(`the extension ${name} ${problem}`);
  const count = files.length;
  for (const path of files) {
    const own = moduleNameIn(path, { packageName, count });
    found.add({ path, name: own, kind, origin, packageRoot, vouched });
  }
}

/** By a path that somebody wrote down. */
async function named(
  given: string,
  origin: ModuleOrigin,
  { cwd, env }: Place,
  found: Sources,
): Promise<void> {
  const path = resolve(cwd, expandHome(given.replace(UNICODE_SPACES, " "), env));
  takeEntries(given, { ...(await moduleEntries(path)), origin }, found);
}

/**
 * By the settings of a project. Who trusts a project has agreed to what is in it, by the very names that
 * stand there: nothing else is loaded, and no name is read as another one.
 */
async function namedByProject(given: string, { cwd, env }: Place, found: Sources): Promise<void> {
  const { searchPlaces } = await import("../discovery/search-places.ts");
  const place = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const { root } = await searchPlaces(place);
  const entries = await moduleEntries(resolve(cwd, given));
  const files = await within(root, entries.files);
  if (files.length < entries.files.length) {
    found.notices.push(`the extension ${given} lies outside the project; it is not loaded`);
    return;
  }
  const trust = await projectTrustOf({ cwd, env });
  const { heldBackNotice } = await import("../trust/held-back-notice.ts");
  const notice = heldBackNotice(trust, `the extension ${given} is not loaded`);
  if (notice !== undefined) found.notices.push(notice);
  // The settings were read because the project was trusted; it may not be any more.
  if (trust.state !== "trusted") return;
  takeEntries(given, { ...entries, origin: "setting", vouched: trust.vouched }, found);
}

function takeEntries(
  given: string,
  entries: ModuleEntries & Pick<ExtensionSource, "origin" | "vouched">,
  found: Sources,
): void {
  const { files, packageRoot, packageName, problem, origin, vouched } = entries;
  const rest = files.length === 0 ? "; it is not loaded" : "";
  if (problem !== undefined) found.notices.push(`the extension ${given} ${problem}${rest}`);
  for (const file of files) {
    const name = moduleNameIn(file, { packageName, count: files.length });
    found.add({ path: file, name, kind: "extension", origin, packageRoot, vouched });
  }
}
