// The one sentence that tells a user what of a project is left out until they decide about it.

import { COMMAND } from "../brand.ts";
import type { ProjectTrust } from "./project-trust.ts";

/** `what`: "its settings are left out", and why not all of it. Nothing for who has said no: they know. */
export function heldBackNotice(
  { state, isDenied, damage }: Pick<ProjectTrust, "state" | "isDenied" | "damage">,
  what: string,
): string | undefined {
  if (state === "trusted" || isDenied) return undefined;
  if (damage !== undefined) return `${damage}; until then no project is trusted, and ${what}`;
  const why = state === "changed" ? "has changed since you allowed it" : "is not trusted";
  return `this project ${why}, so ${what}; \`${COMMAND} trust\` shows what would take effect`;
}
