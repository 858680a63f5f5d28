// The behaviours that every session has, beside compaction and recovery, which the session
// itself calls on. A new one is a folder and a line here.

import type { Approval } from "./approval/approval-behaviour.ts";
import type { Behaviour, BehaviourHost } from "./behaviour.ts";
import type { PendingPreviews } from "./resolve/pending-previews.ts";
import { createResolveBehaviour } from "./resolve/resolve-behaviour.ts";
import type { SecretVault } from "./secrets/secret-vault.ts";
import { createSecretsBehaviour } from "./secrets/secrets-behaviour.ts";
import type { InstructionPlace } from "../context/discover-instructions.ts";
import { createSamplingBehaviour } from "./sampling/sampling-behaviour.ts";
import type { SamplingSettings } from "./sampling/settings.ts";
import { createSlashCommands } from "./slash-commands/slash-commands.ts";
import { createStreamRules, type StreamRuleParts } from "./stream-rules/stream-rules-behaviour.ts";
import { createTodoBehaviour, type TodoParts } from "./todo/todo-behaviour.ts";
import { createTitleBehaviour } from "./titles/title-behaviour.ts";

export interface BehaviourParts {
  /** Where tools put changes that they only show; without it there is nothing to resolve. */
  previews?: PendingPreviews;
  titles: "on" | "off";
  /** Words of the user's or the project's to ask for a name with. */
  titlePrompt?: string;
  approval: Approval;
  /** Where commands are looked for; none are where absent. */
  commands?: InstructionPlace;
  sampling?: SamplingSettings;
  /** Rules that watch replies; none where absent. */
  streamRules?: StreamRuleParts;
  /** The list that the model keeps; it has none where absent. */
  todo?: TodoParts;
  /** What is kept from models; nothing where absent. */
  vault?: SecretVault;
}

export function builtInBehaviours(host: BehaviourHost, parts: BehaviourParts): Behaviour[] {
  const behaviours: Behaviour[] = [parts.approval.behaviour];
  if (parts.commands) behaviours.push(createSlashCommands(parts.commands));
  if (parts.sampling) behaviours.push(...createSamplingBehaviour(parts.sampling));
  if (parts.streamRules) behaviours.push(createStreamRules(host, parts.streamRules));
  if (parts.vault) behaviours.push(createSecretsBehaviour(parts.vault));
  if (parts.previews) behaviours.push(createResolveBehaviour(host, parts.previews));
  if (parts.todo) behaviours.push(createTodoBehaviour(host, parts.todo));
  if (parts.titles === "on") {
    const { titlePrompt } = parts;
    const words = titlePrompt === undefined ? {} : { systemPrompt: titlePrompt };
    behaviours.push(createTitleBehaviour(host, words));
  }
  return behaviours;
}
