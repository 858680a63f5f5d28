// Every command, in the order of the reference, and those that others of the family know and Tau has
// nothing for: they are told so by name instead of being called unknown.

import type { Feature } from "../../feature-api/feature.ts";
import type { FeatureProtocol } from "../../feature-api/protocol.ts";
import { loadHalves } from "../../features/load-halves.ts";
import { NameOwners, ownNames } from "../../features/name-owners.ts";
import { fromProtocol, type CommandRow } from "./command-row.ts";
import { MODEL_COMMANDS } from "./model-commands.ts";
import { PROMPT_COMMANDS } from "./prompt-commands.ts";
import { SESSION_COMMANDS } from "./session-commands.ts";
import { STATE_COMMANDS } from "./state-commands.ts";

/** The mode's own. */
export const RPC_COMMANDS: readonly CommandRow[] = [
  ...PROMPT_COMMANDS,
  ...STATE_COMMANDS,
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
];

/** Other names for a command. */
export const COMMAND_ALIASES: Readonly<Record<string, string>> = {
  get_fork_messages: "get_branch_messages",
};

/** What to do instead. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  abort_retry: "send abort; it ends the delay and the run",
  set_todos: "describe the plan in the prompt",
  set_host_tools: "none; only the session's tools are available",
  host_tool_update: "none; the client's tools are never called",
  host_tool_result: "none; the client's tools are never called",
  set_host_uri_schemes: "none; only the session's resources are available",
  host_uri_result: "none; the client's resources are never read",
  extension_ui_response: "questions arrive as ask; respond with answer",
  workflow_gate_response: "questions arrive as ask; respond with answer",
  negotiate_unattended: "send hello with canAnswer false, and choose an approval mode",
};

export function findRpcCommand(rows: readonly CommandRow[], name: string): CommandRow | undefined {
  const wanted = Object.hasOwn(COMMAND_ALIASES, name) ? COMMAND_ALIASES[name] : name;
  return rows.find((row) => row.name === wanted);
}

/** The mode's own commands, and those that features bring. */
export function allRpcCommands(protocols: readonly FeatureProtocol[]): readonly CommandRow[] {
  const brought = protocols.flatMap(({ commands = [] }) => commands.map(fromProtocol));
  return [...RPC_COMMANDS, ...brought];
}

/** `tell`: whose commands are left out, and why. */
export async function loadProtocols(
  features: readonly Feature[],
  tell: (notice: string) => void = () => {},
): Promise<FeatureProtocol[]> {
  const owners = new NameOwners();
  owners.reserve("protocol command", [
    ...RPC_COMMANDS.map(({ name }) => name),
    ...Object.keys(COMMAND_ALIASES),
  ]);
  const loaded = await loadHalves(features, (feature) => feature.protocol?.(), {
    what: "the protocol commands",
    tell,
  });
  return loaded.flatMap(({ feature, half: protocol }) => {
    const names = protocol.commands?.map(({ name }) => name) ?? [];
    const clash = owners.claim(feature, ownNames("protocol command", names));
    if (clash) tell(clash.message);
    return clash ? [] : [protocol];
  });
}
