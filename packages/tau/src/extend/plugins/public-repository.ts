// Where a repository is that a stranger's catalog names: on the web, and never on this machine or in its network.
// Git looks names up and follows redirects by itself; so the way is gone before it, hop by hop, and git is told
// to go nowhere else.

import type { Environment } from "@tau/ai/environment";
import { proxyFor } from "@tau/host/web/proxy";
import { addressFor, systemLookup, type Lookup } from "@tau/host/web/safe-hop";
import { WebError } from "@tau/host/web/web-error";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { UserError } from "../../user-error.ts";
import { DOWNLOAD_MS } from "./limits.ts";

export interface RepositoryWay {
  url: string;
  /** For git: that it does not go elsewhere. */
  settings: readonly string[];
}

export interface WayPlace {
  env: Environment;
  signal: AbortSignal;
  lookup?: Lookup;
  /** Where an address redirects to. */
  redirectOf?: (url: URL, address: string | undefined) => Promise<string | undefined>;
}

const MAX_REDIRECTS = 5;
/** What git asks for first. */
const REFS = "/info/refs";
const SERVICE = "service=git-upload-pack";
const HTTPS_PORT = "443";

/** Rejects with `UserError`. */
export async function publicRepository(given: string, place: WayPlace): Promise<RepositoryWay> {
  try {
    const host = sshHost(given);
    if (host === undefined) return await overTheWeb(given, place);
    await checked(new URL(`https://${host}/`), place, { hasProxy: false });
    return { url: given, settings: [] };
  } catch (error) {
    if (!(error instanceof WebError) && !(error instanceof TypeError)) throw error;
    const why = error instanceof WebError ? error.message : "it is not an address";
    throw new UserError(
      `the marketplace leads to ${JSON.stringify(hidePasswords(given))}: ${hidePasswords(why)} Nothing was fetched`,
    );
  }
}

/** Whether an address that the user gave is of this machine or its network. */
export async function isPrivatePlace(
  given: string,
  place: Pick<WayPlace, "env" | "lookup">,
): Promise<boolean> {
  const host = sshHost(given);
  const text = host === undefined ? given.replace(/^git\+/, "") : `https://${host}/`;
  if (text.startsWith("file:")) return true;
  if (!URL.canParse(text)) return false;
  try {
    const hasProxy = host === undefined && proxyFor(new URL(text), place.env) !== undefined;
    await checked(new URL(text), place, { hasProxy });
    return false;
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    // What cannot be found now is not known to be near.
    return error.code === "refused_address";
  }
}

async function overTheWeb(given: string, place: WayPlace): Promise<RepositoryWay> {
  const { env, redirectOf = askWhere(place) } = place;
  let base = given.replace(/\/+$/, "");
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = new URL(`${base}${REFS}?${SERVICE}`);
    if (url.protocol !== "https:") throw new WebError("bad_url", "It leads away from https.");
    const hasProxy = proxyFor(url, env) !== undefined;
    const address = await checked(url, place, { hasProxy });
    const location = await redirectOf(url, address);
    if (location === undefined) return { url: base, settings: pinned(url, address) };
    const next = new URL(location, url);
    // As git does it: only a redirect of the same question leads to a repository.
    if (!next.pathname.endsWith(REFS)) break;
    base = `${next.origin}${next.pathname.slice(0, -REFS.length)}`;
  }
  throw new WebError("unreachable", "It redirects too often, or to no repository.");
}

function checked(
  url: URL,
  { lookup = systemLookup }: Pick<WayPlace, "lookup">,
  how: { hasProxy: boolean },
): Promise<string | undefined> {
  return addressFor(url, { asked: url, isUserUrl: false, privateHosts: new Set(), lookup }, how);
}

/** The address that was checked is the one that is connected to. */
function pinned(url: URL, address: string | undefined): string[] {
  const settings = ["http.followRedirects=false"];
  if (address === undefined) return settings;
  const written = address.includes(":") ? `[${address}]` : address;
  const port = url.port === "" ? HTTPS_PORT : url.port;
  return [...settings, `http.curloptResolve=${url.hostname}:${port}:${written}`];
}

function askWhere({ env, signal }: WayPlace): NonNullable<WayPlace["redirectOf"]> {
  return async (url) => {
    const proxy = proxyFor(url, env);
    const within = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
    const response = await fetch(url, {
      redirect: "manual",
      proxy,
      signal: within,
      headers: { "User-Agent": "git/tau" },
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new WebError("unreachable", `${url.host} cannot be reached: ${why}.`);
    });
    await response.body?.cancel();
    const isRedirect = response.status >= 300 && response.status < 400;
    return (isRedirect && response.headers.get("location")) || undefined;
  };
}

/** Undefined if it is not one of ssh. */
function sshHost(address: string): string | undefined {
  const text = address.replace(/^git\+/, "");
  const long = /^ssh:\/\/(?:[^@/]*@)?(\[[^\]/]*\]|[^:/]+)/.exec(text);
  return long?.[1] ?? /^[\w.-]+@([\w.-]+):/.exec(text)?.[1];
}
