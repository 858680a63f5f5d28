// Fetches one URL: redirects by hand, each of them checked; one deadline for all of it; a body
// that is too long or never ends is cut, and said to be.

import { ownEnvironment } from "../process/own-environment.ts";
import { proxyFor, type Environment } from "./proxy.ts";
import { isAddress } from "./public-address.ts";
import { ACCEPTED_ENCODINGS, readResponseBody } from "./response-body.ts";
import { addressFor, systemLookup, type HopRules, type Lookup } from "./safe-hop.ts";
import { WebError } from "./web-error.ts";

/** Browsers give up at 20; pages that mean well need two or three. */
const MAX_REDIRECTS = 8;
/** For the whole fetch; slow sites answer in ten. */
const FETCH_DEADLINE_MS = 30_000;
/** As large as an image or a document may be that is read. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const DEFAULT_USER_AGENT = "tau";

export interface FetchOptions {
  signal?: AbortSignal;
  deadlineMs?: number;
  maxBytes?: number;
  userAgent?: string;
  /** For proxies. */
  env?: Environment;
  /** The URL somebody asked for, where another one is fetched on its behalf. */
  asked?: URL;
  /** See `HopRules`. */
  isUserUrl?: boolean;
  privateHosts?: readonly string[];
  lookup?: Lookup;
}

export interface FetchedUrl {
  finalUrl: string;
  status: number;
  statusText: string;
  contentType: string;
  bytes: Uint8Array;
  /** What was cut, in words. */
  notes: string[];
}

export async function fetchUrl(
  first: URL,
  accept: string,
  options: FetchOptions = {},
): Promise<FetchedUrl> {
  options.signal?.throwIfAborted();
  const rules: HopRules = {
    asked: options.asked ?? first,
    isUserUrl: options.isUserUrl ?? true,
    privateHosts: new Set(options.privateHosts?.map((host) => host.toLowerCase())),
    lookup: options.lookup ?? systemLookup,
  };
  const deadlineMs = options.deadlineMs ?? FETCH_DEADLINE_MS;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await send(url, { accept, rules, options, signal, deadline });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) {
      const { bytes, notes } = await readResponseBody(response, {
        maxBytes: options.maxBytes ?? MAX_BODY_BYTES,
        deadline,
        deadlineMs,
        signal: options.signal,
      });
      return {
        finalUrl: url.href,
        status: response.status,
        statusText: response.statusText,
        contentType: response.headers.get("content-type") ?? "",
        bytes,
        notes,
      };
    }
    await response.body?.cancel();
    if (!URL.canParse(location, url.href)) {
      throw new WebError(
        "unreachable",
        `${url.host} redirects without an address: try another page.`,
      );
    }
    url = new URL(location, url);
  }
  throw new WebError(
    "too_many_redirects",
    `${first.host} redirects more than ${MAX_REDIRECTS} times: try the address it should end at.`,
  );
}

interface Sending {
  accept: string;
  rules: HopRules;
  options: FetchOptions;
  signal: AbortSignal;
  deadline: AbortSignal;
}

async function send(url: URL, sending: Sending): Promise<Response> {
  const { accept, rules, options, signal, deadline } = sending;
  const proxy = proxyFor(url, options.env ?? ownEnvironment());
  const address = await addressFor(url, rules, { hasProxy: proxy !== undefined });
  const target = new URL(url);
  target.hash = "";
  // The address that was checked, while the server is asked under its name.
  if (address !== undefined) target.hostname = address.includes(":") ? `[${address}]` : address;
  try {
    return await fetch(target, {
      redirect: "manual",
      signal,
      credentials: "omit",
      keepalive: false,
      headers: {
        Host: url.host,
        Accept: accept,
        "User-Agent": options.userAgent ?? DEFAULT_USER_AGENT,
        "Accept-Encoding": ACCEPTED_ENCODINGS,
        "Accept-Language": "en, *;q=0.5",
      },
      decompress: false,
      proxy: proxy ?? false,
      // The certificate is that of the name; an address has none but its own.
      tls: isAddress(url.hostname) ? undefined : { serverName: url.hostname },
    });
  } catch (cause) {
    options.signal?.throwIfAborted();
    if (deadline.aborted) throw tooSlow(url);
    const code = (cause as { code?: unknown }).code;
    const why = typeof code === "string" ? code : "no connection";
    throw new WebError(
      "unreachable",
      `${url.host} cannot be reached (${why}): check the address and the network.`,
      { cause },
    );
  }
}

function tooSlow(url: URL): WebError {
  return new WebError(
    "too_slow",
    `${url.host} did not answer in time: try again later, or try another page.`,
  );
}
