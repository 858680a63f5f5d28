// A provider as a row: which wire, where, how it wants its key and where that key is
// found. Nothing else in Tau knows a vendor by name; adding one is adding a row.

import { firstSet, type Environment } from "./environment.ts";
import type { AuthStyle } from "./model.ts";
import type { WireId } from "./wire.ts";

/** How a server tells which models it has. */
export type DiscoveryKind = "ollama" | "llama.cpp" | "lm-studio" | "openai-models-list" | "proxy";

export interface ProviderRow {
  id: string;
  name: string;
  wire: WireId;
  /** May hold `{NAME}` for environment variables that are part of the address. */
  baseUrl: string;
  /** Environment variables that move the endpoint, first hit wins. */
  baseUrlEnv?: readonly string[];
  auth: AuthStyle;
  /** Environment variables that hold a key, first hit wins. */
  keyEnv: readonly string[];
  /** Local servers that answer without a key. */
  keyless?: boolean;
  /** Taken when only the provider is known. */
  defaultModel?: string;
  headers?: Readonly<Record<string, string>>;
  /** How its endpoint differs from its wire; a model's own quirks lie on top. */
  quirks?: Readonly<Record<string, unknown>>;
  /** Names of its section in the data that the catalog is generated from. */
  catalogSource?: readonly string[];
  discovery?: DiscoveryKind;
  /** Its row in the table of logins. */
  login?: string;
}

/** The key in the environment, with the variable it came from. */
export function keyFromEnvironment(
  row: ProviderRow,
  env: Environment,
): { key: string; variable: string } | undefined {
  for (const variable of row.keyEnv) {
    const key = firstSet([variable], env);
    if (key !== undefined) return { key, variable };
  }
  return undefined;
}
