// A provider as a row: which wire, where, how it wants its key and where that key is
// found. Nothing else in Tau knows a vendor by name; adding one is adding a row.

import { firstSet, type Environment } from "./environment.ts";
import type { ModelErrorKind } from "./error.ts";
import type { AuthStyle } from "./model.ts";
import type { WireId } from "./wire.ts";

/** How a server tells which models it has. */
export type DiscoveryKind =
  "ollama" | "llama.cpp" | "lm-studio" | "openai-models-list" | "proxy" | "cursor";

export interface ProviderRow {
  id: string;
  name: string;
  wire: WireId;
  /**
   * May hold `{NAME}` for environment variables that are part of the address,
   * `{NAME|OTHER}` for several names of one, `{NAME=value}` where unset means a value.
   */
  baseUrl: string;
  /** Environment variables that move the endpoint, first hit wins. */
  baseUrlEnv?: readonly string[];
  /** After these: variables that hold a host as the server's own tools take it (`box:11434`). */
  hostEnv?: readonly string[];
  /** Added to a moved endpoint that has no path of its own. */
  basePath?: string;
  /**
   * Addresses while a variable is set, to `is` or to anything; the first that applies and
   * can be filled in wins over `baseUrl`.
   */
  baseUrlWhen?: readonly { variables: readonly string[]; is?: string; baseUrl: string }[];
  auth: AuthStyle;
  /** Environment variables that hold a key, first hit wins. */
  keyEnv: readonly string[];
  /** Local servers that answer without a key. */
  keyless?: boolean;
  /**
   * Sets of variables, each of which says that the machine has credentials which the wire
   * finds by itself (a cloud's own chain), though there is no key to read.
   */
  ambientEnv?: readonly (readonly string[])[];
  /**
   * Files in which a cloud's own tools keep credentials that the wire finds by itself. They count
   * if the provider is asked for by name; that they are there does not say that it is wanted.
   */
  ambientFiles?: readonly { variable: string; inHome: string }[];
  /** Environment variables that hold a login's token; they go before keys. */
  loginEnv?: readonly string[];
  /** How a login's token is sent, where that is not how a key is sent. */
  loginAuth?: { auth: AuthStyle; quirks?: Readonly<Record<string, unknown>> };
  /** The key has to be exchanged for a token first; the name of that exchange. */
  keyExchange?: string;
  /** Taken when only the provider is known. Without it, a key does not make it the default. */
  defaultModel?: string;
  headers?: Readonly<Record<string, string>>;
  /** A variable with more headers, for whoever stands in front of a moved endpoint. */
  headersEnv?: string;
  /**
   * How its endpoint differs from its wire. What is known of a model's family lies below
   * it (a host decides what it takes), exceptions and the user's words on top.
   */
  quirks?: Readonly<Record<string, unknown>>;
  /** Quirks that hold only at the provider's own address. */
  ownAddressQuirks?: Readonly<Record<string, unknown>>;
  /** Its own error codes, verbatim, and what they mean; codes that all share are the wires'. */
  failureCodes?: Readonly<Record<string, ModelErrorKind>>;
  /** Models that it serves in another way than the rest; the first that matches counts. */
  exceptions?: readonly ModelException[];
  /** What the vendor calls its models, where that is not their id; the first match counts. */
  wireNames?: readonly { models: RegExp; name: string }[];
  /** What changes while a variable is switched on (`1`, `true`, `yes`, `on`). */
  modes?: readonly { switch: string; row: Partial<ProviderRow> }[];
  /** What changes while a setting of the user's (`providers.NAME`) has a value. */
  choices?: Readonly<Record<string, Readonly<Record<string, Partial<ProviderRow>>>>>;
  /** Names of its section in the data that the catalog is generated from. */
  catalogSource?: readonly string[];
  /** Which of these it serves, by id. */
  catalogPick?: RegExp;
  /** Paid for by a plan: a call costs nothing more. */
  plan?: boolean;
  discovery?: DiscoveryKind;
  /** A variable that says how many tokens its server was started with. */
  contextEnv?: string;
  /** Its row in the table of logins. */
  login?: string;
}

export interface ModelException {
  models: RegExp;
  wire?: WireId;
  baseUrl?: string;
  auth?: AuthStyle;
  quirks?: Readonly<Record<string, unknown>>;
}

/** The key (or a login's token) in the environment, with the variable it came from. */
export function keyFromEnvironment(
  row: ProviderRow,
  env: Environment,
): { key: string; variable: string } | undefined {
  const { loginEnv = [], keyEnv } = rowIn(row, env);
  for (const variable of [...loginEnv, ...keyEnv]) {
    const key = firstSet([variable], env);
    if (key !== undefined) return { key, variable };
  }
  return undefined;
}

/** Whether the wire will find credentials of its own on this machine. */
export function hasAmbientCredentials(row: ProviderRow, env: Environment): boolean {
  return (row.ambientEnv ?? []).some((all) => all.every((name) => env[name]));
}

/** Where the files are that may hold credentials; nobody has looked whether they are there. */
export function ambientFilesOf({ ambientFiles = [] }: ProviderRow, env: Environment): string[] {
  const home = firstSet(["HOME", "USERPROFILE"], env);
  return ambientFiles.flatMap(({ variable, inHome }) => {
    const named = firstSet([variable], env);
    if (named !== undefined) return [named];
    return home === undefined ? [] : [`${home}/${inHome}`];
  });
}

/** The row at an address that a user chose: nothing else may lead away from it. */
export function rowAt(row: ProviderRow, baseUrl: string): ProviderRow {
  const { baseUrlWhen: _when, hostEnv: _host, ownAddressQuirks: _own, ...rest } = row;
  const exceptions = row.exceptions?.map(({ baseUrl: _elsewhere, ...kept }) => kept);
  return { ...rest, baseUrl, baseUrlEnv: [], exceptions };
}

/** Every variable that may hold a secret of this provider's. */
export function secretVariables(row: ProviderRow): string[] {
  const rows = [row, ...(row.modes ?? []).map((mode) => mode.row)];
  const names = rows.flatMap(({ loginEnv = [], keyEnv = [], headersEnv }) => [
    ...loginEnv,
    ...keyEnv,
    ...(headersEnv ? [headersEnv] : []),
  ]);
  return [...new Set(names)];
}

/** The row as it is in an environment, with its modes applied. */
export function rowIn(row: ProviderRow, env: Environment): ProviderRow {
  let current = row;
  for (const mode of row.modes ?? []) {
    if (isSwitchedOn(env[mode.switch])) current = { ...current, ...mode.row };
  }
  return current;
}

/** The row as the user's settings want it. */
export function rowChosen(row: ProviderRow, chosen: Readonly<Record<string, string>>): ProviderRow {
  let current = row;
  for (const [setting, values] of Object.entries(row.choices ?? {})) {
    const value = chosen[setting];
    if (value !== undefined) current = { ...current, ...values[value] };
  }
  return current;
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|yes|on)$/i.test(value.trim());
}
