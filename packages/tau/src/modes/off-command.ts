// A slash command that nobody answers to because its feature has not joined the session: the settings
// are against it, or the model gets too few tools.

import type { Feature } from "../feature-api/feature.ts";

/** In a sentence; undefined if no feature has such a command. Asked about commands that are not there. */
export function offCommand(features: readonly Feature[], name: string): string | undefined {
  const owner = features.find(({ commands = [] }) =>
    commands.some((one) => one.name === name || one.aliases?.includes(name)),
  );
  if (!owner) return undefined;
  return `/${name} is off in this session, like everything of the feature ${owner.name}: by your settings, or because the model gets the small prompt profile (prompt.profile)`;
}
