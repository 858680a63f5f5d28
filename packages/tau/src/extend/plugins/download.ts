// One file from the web for an installation, whole or not at all. Redirects are followed by hand: none may
// lead from the web to this machine or its network, and credentials stay with the host they are for.

import type { Environment } from "@tau/ai/environment";
import { WebError } from "@tau/host/web/web-error";
import { proxyFor } from "@tau/host/web/proxy";
import { addressFor, systemLookup } from "@tau/host/web/safe-hop";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { UserError } from "../../user-error.ts";
import { DOWNLOAD_MS } from "./limits.ts";

export interface DownloadOptions {
  env: Environment;
  signal: AbortSignal;
  maxBytes: number;
  accept?: string;
  headers?: Readonly<Record<string, string>>;
  /** False if a stranger has named it: then it may not lead into this machine or its network at all. */
  isUsers?: boolean;
  /** The sentence for an answer that it is not there, or what to throw then. */
  missing: string | UserError;
}

const MAX_REDIRECTS = 5;
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

export async function download(first: URL, options: DownloadOptions): Promise<Uint8Array> {
  const { env, maxBytes, accept = "*/*", headers = {}, missing, isUsers = true } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const privateHosts = new Set(isUsers ? [first.hostname] : []);
  const rules = { asked: first, isUserUrl: isUsers, privateHosts, lookup: systemLookup };
  let url = first;
  try {
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const proxy = proxyFor(url, env);
      // Throws where a redirect leads to a private address or to another kind of address.
      await addressFor(url, rules, { hasProxy: proxy !== undefined });
      const response = await fetch(url, {
        redirect: "manual",
        signal,
        proxy,
        headers: {
          ...(url.host === first.host ? headers : {}),
          Accept: accept,
          "User-Agent": "tau",
        },
      });
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        if (!URL.canParse(location, url.href)) break;
        const next = new URL(location, url);
        if (url.protocol === "https:" && next.protocol !== "https:") {
          throw new UserError(
            `${url.host} leads from https to ${next.protocol}//; nothing was fetched`,
          );
        }
        url = next;
        continue;
      }
      if (NOT_THERE.has(response.status)) {
        throw missing instanceof UserError ? missing : new UserError(hidePasswords(missing));
      }
      if (!response.ok)
        throw new UserError(
          `${url.host} answers ${response.status} for ${hidePasswords(url.href)}`,
        );
      return await bounded(response, maxBytes, url);
    }
  } catch (error) {
    if (error instanceof UserError || options.signal.aborted) throw error;
    if (error instanceof WebError) throw new UserError(hidePasswords(error.message));
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${url.host} cannot be reached: ${hidePasswords(why)}`);
  }
  throw new UserError(`${first.host} redirects too often`);
}

async function bounded(response: Response, maxBytes: number, url: URL): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new UserError(
        `${hidePasswords(url.href)} has more than ${Math.round(maxBytes / 1024 / 1024)} MB`,
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
