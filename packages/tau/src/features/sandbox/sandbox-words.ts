// What is in force, in sentences.

import type { SandboxStatus } from "../../tools/confinement.ts";

const NAMES = { bubblewrap: "bubblewrap", landlock: "Landlock" } as const;

export function sandboxWords(status: SandboxStatus): string {
  switch (status.state) {
    case "checking":
      return "The sandbox is being tried.";
    case "missing":
      return `The sandbox is not available, so nothing runs: ${status.why}; ${status.fix}.`;
    case "in_force":
      return [
        `Commands, cells and helpers run in a sandbox (${NAMES[status.kind]}), tried when the session began: they write only to the project and the temporary directory, and cannot read keys.`,
        `Network: ${status.network}.`,
        ...status.weak.map((weak) => `Not kept by ${NAMES[status.kind]}: ${weak}.`),
      ].join("\n");
  }
}
