// npm's registry as the user has configured it: what it says of a package, and the tarball of a version,
// checked against what the registry vouches for. Scripts of a package are never run.

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
  /** A version, a range or a tag; the latest if absent. */
  range?: string;
  registry?: string;
  /** False if a stranger has named the registry: then it may not be of this machine or its network. */
  isUsers?: boolean;
}

export interface PublishedPackage {
  name: string;
  version: string;
  integrity: string;
  /** What the registry says of this version, as a package.json would. */
  manifest: Readonly<Record<string, unknown>>;
  tarball: URL;
  from: Asked;
}

interface Asked {
  registry: URL;
  headers: Readonly<Record<string, string>>;
  isUsers: boolean;
}

interface About extends Asked {
  tags: Readonly<Record<string, unknown>>;
  versions: Readonly<Record<string, unknown>>;
}

/** The registry knows no such package or version. */
export class NotPublished extends UserError {}

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";
const BRIEF = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

export class Registry {
  readonly #place: { env: Environment; signal: AbortSignal };
  readonly #known = new Map<string, Promise<About>>();

  constructor(place: { env: Environment; signal: AbortSignal }) {
    this.#place = place;
  }

  /** Rejects with `UserError`; with `NotPublished` if there is nothing like it. */
  async find(wish: PackageWish): Promise<PublishedPackage> {
    const { name } = wish;
    const { registry, headers, isUsers, tags, versions } = await this.#about(wish);
    const version = chosen(wish.range, { tags, versions });
    if (version === undefined) {
      throw new NotPublished(`${name} has no version ${wish.range ?? "latest"}`);
    }
    const manifest = record(versions[version]);
    const { integrity, tarball } = record(manifest.dist);
    if (typeof tarball !== "string" || !URL.canParse(tarball)) {
      throw new UserError(`the registry names no tarball for ${name}@${version}`);
    }
    if (typeof integrity !== "string" || !/^sha(?:512|384|256)-/.test(integrity)) {
      throw new UserError(`the registry vouches for no content of ${name}@${version}`);
    }
    const place = new URL(tarball);
    if (place.protocol !== "https:" && place.host !== registry.host) {
      throw new UserError(`the tarball of ${name}@${version} is not at an address of the web`);
    }
    const from = { registry, headers, isUsers };
    return { name, version, integrity, manifest, tarball: place, from };
  }

  /** Exactly what was published. Rejects with `UserError`. */
  async fetch({ name, version, integrity, tarball, from }: PublishedPackage): Promise<Uint8Array> {
    const isOwn = tarball.host === from.registry.host;
    const bytes = await download(tarball, {
      ...this.#place,
      headers: isOwn ? from.headers : {},
      isUsers: isOwn && from.isUsers,
      maxBytes: MAX_DOWNLOAD_BYTES,
      missing: `the tarball of ${name}@${version} is not where the registry says`,
    });
    if (fits(bytes, integrity)) return bytes;
    throw new UserError(
      `the tarball of ${name}@${version} is not the one that the registry vouches for; nothing was installed`,
    );
  }

  async #about(wish: PackageWish): Promise<About> {
    const { name, isUsers = true } = wish;
    const { registry, token } = await registryFor(wish, this.#place.env);
    const key = `${registry.href} ${name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    const asked = this.#ask(name, { registry, headers, isUsers });
    this.#known.set(key, asked);
    return asked;
  }

  async #ask(name: string, asked: Asked): Promise<About> {
    const { registry, headers, isUsers } = asked;
    const answer = await download(new URL(name.replace("/", "%2f"), registry), {
      ...this.#place,
      accept: BRIEF,
      headers,
      isUsers,
      maxBytes: MAX_METADATA_BYTES,
      missing: new NotPublished(`the registry has no package ${name}`),
    });
    const data = parsed(answer, name);
    return { ...asked, tags: record(data["dist-tags"]), versions: record(data.versions) };
  }
}

/** As npm chooses: a tag, this version, the latest if it fits, the highest that fits. */
function chosen(
  given = "latest",
  { tags, versions }: Pick<About, "tags" | "versions">,
): string | undefined {
  const range = ["", "*"].includes(given.trim()) ? "latest" : given.trim();
  const isThere = (version: unknown): version is string =>
    typeof version === "string" && Object.hasOwn(versions, version);
  const tagged = Object.hasOwn(tags, range) ? tags[range] : undefined;
  if (tagged !== undefined) return isThere(tagged) ? tagged : undefined;
  if (isThere(range)) return range;
  const { latest } = tags;
  if (isThere(latest) && Bun.semver.satisfies(latest, range)) return latest;
  return Object.keys(versions)
    .filter((one) => Bun.semver.satisfies(one, range))
    .toSorted(Bun.semver.order)
    .at(-1);
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
function fits(bytes: Uint8Array, integrity: string): boolean {
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
