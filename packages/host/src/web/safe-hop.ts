// Decides for each request, the first one and every redirect, whether it may be sent and to
// which address. The address that was checked is the one that is connected to: a name that is
// resolved twice can mean two things.

import { isAddress, isPublicAddress } from "./public-address.ts";
import { WebError } from "./web-error.ts";

export type Lookup = (host: string) => Promise<string[]>;

export interface HopRules {
  /** The URL that was asked for: its host may be private if it is written out as such. */
  asked: URL;
  /** False where nobody but a page or a model named it: then no private host is let through. */
  isUserUrl: boolean;
  /** Hosts whose private addresses are wanted, by name. */
  privateHosts: ReadonlySet<string>;
  lookup: Lookup;
}

const LOCAL_NAME = /^(?:localhost|.*\.localhost)$/;

/** Undefined where the address is found by a proxy. */
export async function addressFor(
  url: URL,
  rules: HopRules,
  { hasProxy }: { hasProxy: boolean },
): Promise<string | undefined> {
  assertWebUrl(url);
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  const isWritten = isAddress(host) || LOCAL_NAME.test(host);
  const isAsked = rules.isUserUrl && isWritten && url.hostname === rules.asked.hostname;
  const isWanted = isAsked || rules.privateHosts.has(host);
  if (isAddress(host)) {
    if (!isWanted && !isPublicAddress(host)) throw refused(url, host);
    return host.replace(/^\[|\]$/g, "");
  }
  if (LOCAL_NAME.test(host) && !isWanted) throw refused(url, host);
  if (hasProxy) return undefined;
  const addresses = await resolveHost(host, rules.lookup);
  // One private address among public ones is enough to be led there on the next try.
  const inner = addresses.find((address) => !isPublicAddress(address));
  if (inner !== undefined && !isWanted) throw refused(url, `${host}, which is ${inner}`);
  return addresses[0]!;
}

function assertWebUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new WebError(
      "bad_url",
      `${url.protocol} is not fetched: use an address that begins with http:// or https://.`,
    );
  }
  if (url.username === "" && url.password === "") return;
  throw new WebError(
    "bad_url",
    `A password in an address is not sent: remove it from ${url.host}, or fetch it with a command.`,
  );
}

async function resolveHost(host: string, lookup: Lookup): Promise<string[]> {
  let addresses: string[] = [];
  let cause: unknown;
  try {
    addresses = await lookup(host);
  } catch (error) {
    cause = error;
  }
  if (addresses.length > 0) return addresses;
  throw new WebError("unreachable", `There is no host ${host}: check the address.`, { cause });
}

/** As the system resolves names, hosts files included. */
export async function systemLookup(host: string): Promise<string[]> {
  return (await Bun.dns.lookup(host)).map(({ address }) => address);
}

function refused(url: URL, what: string): WebError {
  return new WebError(
    "refused_address",
    `${url.origin} is not fetched because it leads to a private address (${what}): ask the user for its address, or fetch it with a command.`,
  );
}
