// Who keeps everybody waiting, in a sentence: an extension by its name, a command hook by its command.

import type { HookSlowEvent } from "@tau/agent/event";

export function nameSlowHook({
  behaviour,
  hook,
  command,
}: Pick<HookSlowEvent, "behaviour" | "hook" | "command">): string {
  return command === undefined ? `the extension ${behaviour} (${hook})` : `${command} at ${hook}`;
}
