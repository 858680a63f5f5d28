// The next model of the user's roles, without opening anything.

import type { AppContext } from "./app-context.ts";

export async function cycleModel(
  { active, surface }: AppContext,
  direction: "forward" | "backward",
): Promise<void> {
  const { nextRoleModel } = await import("../../model/cycle-roles.ts");
  const next = nextRoleModel(active.settings, active.session.model, direction);
  if (next !== undefined) return active.session.setModel(next);
  surface.note("There are fewer than two roles with models; see /model.");
}
