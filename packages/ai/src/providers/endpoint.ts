// Where a provider is, in a given environment. The rules are data in its row; this fills
// them in. Nothing is sent anywhere while a part of the address is unknown.

import { firstSet, type Environment } from "../environment.ts";
import { rowIn, type ProviderRow } from "../provider-row.ts";

/** `{NAME}`, `{NAME|OTHER}`, `{NAME=value}`. */
const PLACEHOLDER = /\{([A-Z0-9_|]+)(?:=([^}]*))?\}/g;

/** Undefined where a variable that is part of the address is not set. */
export function endpointOf(row: ProviderRow, env: Environment): string | undefined {
  const current = rowIn(row, env);
  const moved = firstSet(current.baseUrlEnv ?? [], env);
  if (moved !== undefined) return withPath(moved.trim(), current);
  const host = firstSet(current.hostEnv ?? [], env);
  if (host !== undefined) return withPath(addressOf(host.trim(), current), current);
  for (const { variables, is, baseUrl } of current.baseUrlWhen ?? []) {
    const value = firstSet(variables, env);
    if (value === undefined || (is !== undefined && value !== is)) continue;
    const address = fillIn(baseUrl, env);
    if (address !== undefined) return address;
  }
  return fillIn(current.baseUrl, env);
}

export function fillIn(template: string, env: Environment): string | undefined {
  let complete = true;
  const url = template.replace(PLACEHOLDER, (_, names: string, fallback: string | undefined) => {
    const value = firstSet(names.split("|"), env) ?? fallback;
    if (value === undefined) complete = false;
    return value === undefined ? "" : encodeURIComponent(value);
  });
  return complete ? url : undefined;
}

/**
 * A host as the server's own tools take it: the scheme and the port may be missing, and it
 * may be what the server was told to listen on, which is not where it can be reached.
 */
function addressOf(host: string, row: ProviderRow): string {
  const hasScheme = host.includes("://");
  const full = hasScheme ? host : `http://${host}`;
  if (!URL.canParse(full)) return host;
  const url = new URL(full);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  const hasPort = /:\d+(?:\/|$)/.test(host);
  if (!hasScheme && !hasPort) url.port = new URL(row.baseUrl).port;
  return url.href.replace(/\/+$/, "");
}

/** What is no address is handed on as it is, so that whoever reports it can quote it. */
function withPath(address: string, { basePath }: ProviderRow): string {
  if (!basePath || !URL.canParse(address)) return address;
  const { protocol, pathname, origin } = new URL(address);
  return protocol.startsWith("http") && pathname === "/" ? origin + basePath : address;
}
