// Every command that there is: Tau's own, then those that features bring.

import { BUILT_IN } from "../features/built-in.ts";
import { loadHalves } from "../features/load-halves.ts";
import { NameOwners, ownNames } from "../features/name-owners.ts";
import type { Feature } from "../feature-api/feature.ts";
import type { Subcommand } from "../feature-api/subcommand.ts";
import { COMMANDS } from "./command-table.ts";

/** `tell`: what is left out, and why. */
export async function allCommands(
  features: readonly Feature[] = BUILT_IN,
  tell: (notice: string) => void = () => {},
): Promise<readonly Subcommand[]> {
  const owners = new NameOwners();
  owners.reserve("subcommand", namesOf(COMMANDS));
  const loaded = await loadHalves(features, (feature) => feature.commandLine?.(), {
    what: "the subcommands",
    tell,
  });
  const brought = loaded.flatMap(({ feature, half: { subcommands } }) => {
    const clash = owners.claim(feature, ownNames("subcommand", namesOf(subcommands)));
    if (clash) tell(clash.message);
    return clash ? [] : subcommands;
  });
  return [...COMMANDS, ...brought];
}

function namesOf(commands: readonly Subcommand[]): string[] {
  return commands.map(({ name }) => name);
}
