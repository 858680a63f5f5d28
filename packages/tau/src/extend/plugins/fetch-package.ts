// A package from npm's registry: which version is meant, its tarball, checked against what the registry says
// of it. Scripts of a package are never run.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { systemCode } from "@tau/host/storage-error";
import { homeOf } from "../../config/places.ts";
import { UserError } from "../../user-error.ts";
import { download } from "./download.ts";
import { MAX_DOWNLOAD_BYTES, MAX_METADATA_BYTES } from "./limits.ts";

export interface PackageWish {
  name: string;
  range?: string;
  registry?: string;
}

export interface FetchedPackage {
  version: string;
  integrity: string;
  bytes: Uint8Array;
}

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";
const BRIEF = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

export async function fetchPackage(
  wish: PackageWish,
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<FetchedPackage> {
  const { registry, token } = await registryFor(wish, env);
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const url = new URL(wish.name.replace("/", "%2f"), registry);
  const answer = await download(url, {
    env,
    signal,
    accept: BRIEF,
    headers,
    maxBytes: MAX_METADATA_BYTES,
    missing: `the registry has no package ${wish.name}`,
  });
  const { version, dist } = chosen(wish, answer);
  const { integrity, tarball } = dist;
  if (typeof tarball !== "string" || !URL.canParse(tarball)) {
    throw new UserError(`the registry names no tarball for ${wish.name}@${version}`);
  }
  if (typeof integrity !== "string" || !/^sha(?:512|384|256)-/.test(integrity)) {
    throw new UserError(`the registry vouches for no content of ${wish.name}@${version}`);
  }
  const place = new URL(tarball);
  const isOwn = place.host === registry.host;
  if (place.protocol !== "https:" && !isOwn) {
    throw new UserError(`the tarball of ${wish.name}@${version} is not at an address of the web`);
  }
  const bytes = await download(place, {
    env,
    signal,
    headers: isOwn ? headers : {},
    isUsers: isOwn,
    maxBytes: MAX_DOWNLOAD_BYTES,
    missing: `the tarball of ${wish.name}@${version} is not where the registry says`,
  });
  if (!fits(bytes, integrity)) {
    throw new UserError(
      `the tarball of ${wish.name}@${version} is not the one that the registry vouches for; nothing was installed`,
    );
  }
  return { version, integrity, bytes };
}

function chosen({ name, range = "latest" }: PackageWish, answer: Uint8Array) {
  const data = parsed(answer, name);
  const versions = record(data.versions);
  const tag = record(data["dist-tags"])[range];
  const exact = typeof tag === "string" ? tag : Object.hasOwn(versions, range) ? range : undefined;
  const version =
    exact ??
    Object.keys(versions)
      .filter((one) => Bun.semver.satisfies(one, range))
      .toSorted(Bun.semver.order)
      .at(-1);
  if (version === undefined || !Object.hasOwn(versions, version)) {
    throw new UserError(`${name} has no version ${range}`);
  }
  return { version, dist: record(record(versions[version]).dist) };
}

function parsed(answer: Uint8Array, name: string): Record<string, unknown> {
  try {
    return record(JSON.parse(new TextDecoder().decode(answer)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(`the registry's answer about ${name} is not JSON`);
  }
}

/** One of several hashes is enough; the strongest kind is looked at first. */
export function fits(bytes: Uint8Array, integrity: string): boolean {
  const given = integrity.split(/\s+/);
  for (const kind of ["sha512", "sha384", "sha256"] as const) {
    const own = given.filter((one) => one.startsWith(`${kind}-`));
    if (own.length === 0) continue;
    const hash = new Bun.CryptoHasher(kind).update(bytes).digest("base64");
    return own.some((one) => one.split("?")[0] === `${kind}-${hash}`);
  }
  return false;
}

/** As npm is configured for the user; a project's own file is a stranger's. */
async function registryFor({ name, registry }: PackageWish, env: Environment) {
  const lines = await configLines(env);
  const scope = name.startsWith("@") ? `${name.split("/")[0]}:registry` : undefined;
  const said =
    registry ??
    (scope && lines.get(scope)) ??
    env.npm_config_registry ??
    env.NPM_CONFIG_REGISTRY ??
    lines.get("registry") ??
    PUBLIC_REGISTRY;
  if (!URL.canParse(said)) throw new UserError(`the registry ${said} is not an address`);
  const url = new URL(said.endsWith("/") ? said : `${said}/`);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new UserError(`the registry ${said} is not an address of the web`);
  }
  const token = lines.get(`//${url.host}${url.pathname}:_authToken`);
  const variable = token === undefined ? undefined : /^\$\{(\w+)\}$/.exec(token)?.[1];
  return { registry: url, token: variable === undefined ? token : env[variable] };
}

async function configLines(env: Environment): Promise<Map<string, string>> {
  try {
    const text = await readFile(env.NPM_CONFIG_USERCONFIG || join(homeOf(env), ".npmrc"), "utf8");
    const pairs = text.matchAll(/^\s*([^#;=\s][^=\s]*)\s*=\s*"?(.*?)"?\s*$/gm);
    return new Map([...pairs].map(([, key, value]) => [key!, value!]));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return new Map();
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
