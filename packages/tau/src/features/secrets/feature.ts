// Secrets: they are kept out of what a model is sent, what is shown and what is written down; the tool
// that a call names them for gets the real ones.

import type { Feature } from "../../feature-api/feature.ts";
import { SECRET_ROWS } from "./settings.ts";

export const secrets: Feature = {
  name: "secrets",
  // Hides before everyone else: what others see and keep is free of secrets.
  order: -100,
  settings: [SECRET_ROWS],
  isOn: ({ settings }) => settings.group(SECRET_ROWS).enabled,
  redactor: async (place) => (await import("./open-vault.ts")).openVault(place),
  setup: async (host) => {
    const [{ openVault }, { hideAndRestore }] = await Promise.all([
      import("./open-vault.ts"),
      import("./hide-and-restore.ts"),
    ]);
    const vault = await openVault(host);
    return { redactor: vault, hooks: hideAndRestore(vault) };
  },
};
