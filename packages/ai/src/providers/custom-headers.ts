// Headers that a user's own gateway asks for. They may be secrets of that gateway, so the
// vendor's own host never gets them.

import type { Environment } from "../environment.ts";
import type { ProviderRow } from "../provider-row.ts";

/** RFC 9110's token characters. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export function customHeaders(
  row: ProviderRow,
  baseUrl: string | undefined,
  env: Environment,
): Record<string, string> {
  const text = row.headersEnv && env[row.headersEnv];
  if (!text || !baseUrl || hostOf(baseUrl) === hostOf(row.baseUrl)) return {};
  return parseHeaderList(text);
}

/** `name: value` pairs, separated by commas or newlines; a comma inside a value stays. */
function parseHeaderList(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  let last: string | undefined;
  for (const part of text.split(/[\n,]/)) {
    const colon = part.indexOf(":");
    const name = part.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && HEADER_NAME.test(name)) {
      last = name;
      headers[name] = part.slice(colon + 1).trim();
    } else if (last !== undefined && part.trim() !== "") {
      headers[last] += `, ${part.trim()}`;
    }
  }
  return headers;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
