// Where a plugin comes from, as people write it and as the lockfile keeps it.

import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { hasPassword, hidePasswords } from "../../base/hide-passwords.ts";
import { expandHome } from "../../config/places.ts";
import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { UserError } from "../../user-error.ts";

export type PluginSource =
  /** `integrity`: it must be this one, as a lockfile says. */
  | { type: "npm"; name: string; range?: string; registry?: string; integrity?: string }
  | { type: "git"; url: string; ref?: string; sha?: string; path?: string }
  /** A file, or an address. */
  | { type: "tarball"; from: string }
  | { type: "directory"; path: string }
  | { type: "marketplace"; plugin: string; market: string };

const TARBALL = /\.(?:tgz|tar\.gz|tar)$/i;
const GITHUB = /^[\w.-]+\/[\w.-]+$/;
const SSH = /^(?:ssh:\/\/|[\w.-]+@[\w.-]+:)/;

export interface SourcePlace {
  cwd: string;
  env: Environment;
  /** Names of the marketplaces that are known. */
  markets: ReadonlySet<string>;
}

export function parseSource(given: string, place: SourcePlace): PluginSource {
  const text = given.trim();
  refusePassword(text);
  const { cwd, env, markets } = place;
  const refused = new UserError(
    `${JSON.stringify(given)} is not a source of plugins; give a package (name@version), github:owner/repo, a git address, a path or a tarball`,
  );
  if (text === "" || /[\s\p{C}]/u.test(text)) throw refused;
  if (text.startsWith("npm:")) return packageOf(text.slice("npm:".length)) ?? raise(refused);
  if (/^(?:\.{0,2}\/|\.{1,2}$|~(?:\/|$)|file:)/.test(text) || isAbsolute(text)) {
    const bare = text.startsWith("file:") ? text.replace(/^file:(?:\/\/)?/, "") : text;
    return localSource(resolve(cwd, expandHome(bare, env)));
  }
  if (/^https?:\/\//.test(text) && TARBALL.test(new URL(text).pathname)) {
    return { type: "tarball", from: text };
  }
  const git = gitSource(text);
  if (git) return git;
  const market = /^([^@/][^@]*)@([\w.-]+)$/.exec(text);
  if (market && markets.has(market[2]!)) {
    return { type: "marketplace", plugin: market[1]!, market: market[2]! };
  }
  if (GITHUB.test(text.split("#")[0]!)) {
    if (existsSync(resolve(cwd, text))) return localSource(resolve(cwd, text));
    return gitSource(`github:${text}`)!;
  }
  return packageOf(text) ?? raise(refused);
}

/** It would stand in the lockfile, and in a project's for everybody. */
export function refusePassword(address: string): void {
  if (!hasPassword(address)) return;
  throw new UserError(
    `${hidePasswords(address)} has credentials in it, which would be stored; use a credential helper of git, or ssh`,
  );
}

function raise(error: Error): never {
  throw error;
}

function localSource(path: string): PluginSource {
  return TARBALL.test(path) ? { type: "tarball", from: path } : { type: "directory", path };
}

/** Undefined if it is not an address of a repository. */
export function gitSource(text: string): Extract<PluginSource, { type: "git" }> | undefined {
  const [address = "", fragment] = text.split("#", 2);
  const [ref, path] = fragment === undefined ? [] : fragment.split(":", 2);
  const parts = { ref: ref || undefined, path: path || undefined };
  const short = /^github:(.+)$/.exec(address)?.[1];
  if (short !== undefined) {
    if (!GITHUB.test(short)) return undefined;
    return { type: "git", url: `https://github.com/${short.replace(/\.git$/, "")}.git`, ...parts };
  }
  const url = address.replace(/^git\+/, "").replace(/^git:(?!\/\/)/, "");
  if (SSH.test(url)) return { type: "git", url, ...parts };
  if (!/^(?:https?|file):\/\//.test(url) || !URL.canParse(url)) return undefined;
  return { type: "git", url, ...parts };
}

function packageOf(text: string): PluginSource | undefined {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = at < 0 ? undefined : text.slice(at + 1);
  if (!isPluginName(name) || (range !== undefined && !/^[\w.^~<>=|*+-]+$/.test(range))) {
    return undefined;
  }
  return { type: "npm", name, range };
}

/** Asked for again, it means the same. */
export function sourceText(source: PluginSource): string {
  switch (source.type) {
    case "npm":
      return `npm:${source.name}${source.range === undefined ? "" : `@${source.range}`}`;
    case "git": {
      const path = source.path === undefined ? "" : `:${source.path}`;
      const fragment = `${source.ref ?? ""}${path}`;
      return `git+${source.url}${fragment === "" ? "" : `#${fragment}`}`;
    }
    case "tarball":
      return isAbsolute(source.from) ? `file:${source.from}` : source.from;
    case "directory":
      return `file:${source.path}`;
    case "marketplace":
      return `${source.plugin}@${source.market}`;
  }
}
