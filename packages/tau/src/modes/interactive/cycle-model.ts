// The next model of the user's roles, without opening anything.

import type { AppContext } from "./app-context.ts";

export async function cycleModel(
  { active, surface }: AppContext,
  direction: "forward" | "backward",
): Promise<void> {
  const { MODEL_ROWS } = await import("../../model/model-setting-rows.ts");
  const { modelRoles } = active.settings.group(MODEL_ROWS);
  const selectors = [...new Set(Object.values(modelRoles).map(String))];
  if (selectors.length < 2) {
    return surface.note("There are no two roles with models to go between; see /model.");
  }
  const { provider, id } = active.session.model;
  const at = selectors.findIndex((selector) => selector.startsWith(`${provider}/${id}`));
  const step = direction === "forward" ? 1 : -1;
  const next = selectors[(at + step + selectors.length) % selectors.length]!;
  await active.session.setModel(next);
}
