// Which variables of a project's `.env` may count. Most of what stands there is for the project's own
// programs and no business of Tau's. Keys may, where the user trusts the project: with somebody
// else's key, somebody else reads the requests. What decides where requests go or what runs never may.

import { PROVIDERS } from "@tau/ai/providers";
import type { ProviderRow } from "@tau/ai/provider-row";
import type { KnownVariables } from "./known-variables.ts";

export type ProjectSay =
  /** Harmless. */
  | "may"
  /** Where the project is trusted. */
  | "if_trusted"
  /** Held back, and the user is told. */
  | "never"
  /** Not taken, and not worth a word: applications have regions and accounts in their files. */
  | "unknown";

/** What makes programs load code, trust strangers or go through them; no application needs it set. */
const LEADING =
  /^(?:PATH|HOME|SHELL|BASH_ENV|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|(?:LD|DYLD|BUN)_.*|(?:https?|all|no|ftp)_proxy)$/i;

export function projectSay(name: string, variables: KnownVariables): ProjectSay {
  const own = variables.rowBehind(name);
  if (own !== undefined) return own.project ?? "never";
  if (name.startsWith("TAU_")) return "never";
  if (KEYS.has(name)) return "if_trusted";
  return ADDRESSES.has(name) || LEADING.test(name) ? "never" : "unknown";
}

/** Whether Tau reads it at all: of a file that is there for other programs too, nothing else counts. */
export function readsVariable(name: string, variables: KnownVariables): boolean {
  if (variables.rowBehind(name) !== undefined) return true;
  return KEYS.has(name) || ADDRESSES.has(name) || AMBIENT.has(name);
}

const ROWS = PROVIDERS.flatMap((row): Partial<ProviderRow>[] => [
  row,
  ...(row.modes ?? []).map((mode) => mode.row),
]);

/** Not the variables with headers: they can name another account or host. */
const KEYS: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ keyEnv = [], loginEnv = [] }) => [...keyEnv, ...loginEnv]),
);

const ADDRESSES: ReadonlySet<string> = new Set([
  ...ROWS.flatMap((row) => [
    ...(row.baseUrlEnv ?? []),
    ...(row.hostEnv ?? []),
    ...(row.baseUrlWhen ?? []).flatMap(({ variables }) => variables),
    ...(row.headersEnv === undefined ? [] : [row.headersEnv]),
  ]),
  ...PROVIDERS.flatMap(({ modes = [] }) => modes.map((mode) => mode.switch)),
]);

/** By which a cloud's own chain finds credentials. */
const AMBIENT: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ ambientEnv = [] }) => ambientEnv.flat()),
);
