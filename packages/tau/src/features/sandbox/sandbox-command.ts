// `/sandbox`: shows what is in force, and lets the network in or out for this session. Only a person may:
// what comes in as a prompt from elsewhere must not open its own cage.

import type { SessionCommand } from "../../session/session-command.ts";
import { CONFINEMENT } from "../../tools/confinement.ts";
import { UserError } from "../../user-error.ts";

const WORDS = ["network on", "network off"] as const;
const OFF =
  "The sandbox is off; tau config set sandbox.mode workspace turns it on for new sessions.";

/** A session keeps what it began with: what has started is confined, or is not. */
function switching(word: "on" | "off"): string {
  const mode = word === "on" ? "workspace" : "off";
  return `the sandbox cannot be turned ${word} in a session that has begun; tau config set sandbox.mode ${mode} turns it ${word} for new ones`;
}

export const SANDBOX_COMMAND: SessionCommand = {
  name: "sandbox",
  argument: "[network …]",
  help: "show what confines commands, and let the network in",
  from: "person",
  complete: () => WORDS,
  run: async ({ session }, argument) => {
    const confinement = session.parts.get(CONFINEMENT);
    const wanted = /^network\s+(on|off)$/.exec(argument)?.[1] as "on" | "off" | undefined;
    if (argument !== "" && wanted === undefined) {
      const isSwitch = argument === "on" || argument === "off";
      if (isSwitch) throw new UserError(switching(argument));
      throw new UserError(`choose one of ${WORDS.join(", ")}, or nothing to see what is in force`);
    }
    if (!confinement) return OFF;
    if (wanted !== undefined) await confinement.setNetwork(wanted);
    const { sandboxWords } = await import("./sandbox-words.ts");
    return sandboxWords(await confinement.check());
  },
};
