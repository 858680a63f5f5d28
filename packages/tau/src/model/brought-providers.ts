// Providers that extensions bring. They are checked as those of models.yml are; what the user has written
// there, and the providers that Tau knows itself, stay as they are: nobody's key goes anywhere else because an
// extension says so.

import { findProvider } from "@tau/ai/providers";
import { safeParse } from "valibot";
import type { ConfigProblem } from "../base/config-problem.ts";
import type { ModelsConfig } from "./models-config.ts";
import { clientOf } from "./own-client.ts";
import { providerSchema } from "./models-yml-schema.ts";

export interface BroughtProvider {
  /** Whose it is, for messages. */
  readonly extension: string;
  readonly config: unknown;
}

/** Returns what could not be taken. */
export async function addProviders(
  { providers, broughtBy, clients }: ModelsConfig,
  brought: ReadonlyMap<string, BroughtProvider>,
): Promise<ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  for (const [id, { extension, config }] of brought) {
    const refuse = (message: string): void => {
      problems.push({ file: extension, key: `providers.${id}`, message, severity: "warning" });
    };
    if (findProvider(id))
      refuse("it is one of Tau's own and stays as it is; change it in models.yml");
    else if (!providers.has(id)) {
      const parsed = safeParse(providerSchema, config);
      if (parsed.success) {
        providers.set(id, parsed.output);
        broughtBy.set(id, extension);
        const client = clientOf(config);
        if (client) clients.set(id, client);
      } else refuse(parsed.issues[0].message);
    }
  }
  return problems;
}
