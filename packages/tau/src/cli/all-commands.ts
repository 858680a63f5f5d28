// Every command that there is: Tau's own, then those that features bring.

import { BUILT_IN } from "../features/built-in.ts";
import type { Feature } from "../feature-api/feature.ts";
import type { Subcommand } from "../feature-api/subcommand.ts";
import { COMMANDS } from "./command-table.ts";

export async function allCommands(
  features: readonly Feature[] = BUILT_IN,
): Promise<readonly Subcommand[]> {
  const loaded = await Promise.all(features.map(async (feature) => feature.commandLine?.()));
  return [...COMMANDS, ...loaded.flatMap((one) => one?.subcommands ?? [])];
}
