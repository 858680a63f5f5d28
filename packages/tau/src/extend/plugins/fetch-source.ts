// From a source to a directory with the plugin's files, in a place of the caller's. Nothing of what comes is
// run, and nothing of it is anywhere else.

import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { fetchCommit, GitFetchError } from "@tau/host/git/fetch-commit";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { UserError } from "../../user-error.ts";
import { copyDirectory } from "./copy-directory.ts";
import { download } from "./download.ts";
import { GIT_MS, MAX_DOWNLOAD_BYTES, MAX_REPOSITORY_BYTES } from "./limits.ts";
import { refusePassword, type PluginSource } from "./plugin-source.ts";
import { publicRepository } from "./public-repository.ts";
import { Registry } from "./registry.ts";
import { unpackPackage } from "./unpack-package.ts";

export interface FetchPlace {
  /** Empty, and the caller's to remove. */
  staging: string;
  env: Environment;
  signal: AbortSignal;
  /** Who has named the source. */
  namedBy: "user" | "catalog" | "own catalog";
}

export interface FetchedSource {
  root: string;
  /** What exactly it was. */
  resolved?: string;
  registryIntegrity?: string;
}

export type FetchableSource = Exclude<PluginSource, { type: "marketplace" }>;

export async function fetchSource(
  source: FetchableSource,
  place: FetchPlace,
): Promise<FetchedSource> {
  const { staging, env, signal, namedBy } = place;
  // Also a catalog may name one.
  if (source.type === "git") refusePassword(source.url);
  if (source.type === "tarball") refusePassword(source.from);
  const root = join(staging, "plugin");
  await mkdir(root);
  switch (source.type) {
    case "npm": {
      const registry = new Registry({ env, signal });
      const isUsers = source.registry === undefined || namedBy !== "catalog";
      const found = await registry.find({ ...source, isUsers });
      const { version, integrity } = found;
      if (source.integrity !== undefined && source.integrity !== integrity) {
        throw new UserError(
          `${source.name}@${version} is not what the lockfile has; nothing was installed`,
        );
      }
      const archive = join(staging, "package.tgz");
      await writeFile(archive, await registry.fetch(found));
      await unpackPackage(archive, root, { signal, strip: 1, what: `${source.name}@${version}` });
      return { root, resolved: version, registryIntegrity: integrity };
    }
    case "git": {
      const { commit, tar } = await fetched(source, place);
      await unpackPackage(tar, root, { signal, what: source.url });
      return { root, resolved: commit };
    }
    case "tarball":
      return await takeTarball(source.from, root, place);
    case "directory":
      await copyDirectory(source.path, root);
      return { root, resolved: source.path };
  }
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

/** Which ways git may go. What a stranger's catalog names is on the web, and nowhere else. */
function protocolsFor({ url }: { url: string }, namedBy: FetchPlace["namedBy"]): string[] {
  if (namedBy === "user") return ["https", "ssh", "http", "file"];
  if (namedBy === "own catalog" && LOOPBACK.test(url)) return ["http"];
  if (/^(?:https|ssh):\/\//.test(url) || /^[\w.-]+@[\w.-]+:/.test(url)) return ["https", "ssh"];
  throw new UserError(
    `the marketplace leads to ${JSON.stringify(hidePasswords(url))}, which is not on the web; nothing was fetched`,
  );
}

async function fetched(
  source: Extract<PluginSource, { type: "git" }>,
  { staging, env, signal, namedBy }: FetchPlace,
) {
  const directory = join(staging, "repository");
  const protocols = protocolsFor(source, namedBy);
  const way = namedBy === "catalog" ? await publicRepository(source.url, { env, signal }) : {};
  await mkdir(directory);
  try {
    return await fetchCommit(
      { ...source, protocols, ...way },
      { directory, env, signal, maxBytes: MAX_REPOSITORY_BYTES, timeoutMs: GIT_MS },
    );
  } catch (error) {
    if (!(error instanceof GitFetchError)) throw error;
    throw new UserError(hidePasswords(`${source.url} cannot be fetched: ${error.message}`));
  }
}

async function takeTarball(from: string, root: string, place: FetchPlace): Promise<FetchedSource> {
  const { staging, env, signal, namedBy } = place;
  let archive = from;
  if (!isAbsolute(from)) {
    const bytes = await download(new URL(from), {
      env,
      signal,
      isUsers: namedBy === "user",
      maxBytes: MAX_DOWNLOAD_BYTES,
      missing: `${from} is not there`,
    });
    archive = join(staging, "package.tgz");
    await writeFile(archive, bytes);
  }
  const whole = join(staging, "whole");
  await mkdir(whole);
  await unpackPackage(archive, whole, { signal, what: from });
  await copyDirectory(await onlyDirectory(whole), root);
  return { root, resolved: from };
}

/** Most archives have everything in one directory. */
async function onlyDirectory(directory: string): Promise<string> {
  const { readdir } = await import("node:fs/promises");
  const entries = await readdir(directory, { withFileTypes: true });
  const [only] = entries;
  const isOnly = entries.length === 1 && only!.isDirectory() && !MEANT.has(only!.name);
  return isOnly ? join(directory, only!.name) : directory;
}

/** A plugin of one directory, packed without one around it. */
const MEANT: ReadonlySet<string> = new Set([
  ".claude-plugin",
  "agents",
  "commands",
  "extensions",
  "rules",
  "skills",
]);
