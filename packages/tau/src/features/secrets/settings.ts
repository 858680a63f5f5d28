// Whether secrets are kept from models.

import { flag } from "../../config/setting.ts";
import { settingGroup } from "../../config/setting-group.ts";

export const SECRET_ROWS = settingGroup("secrets", "Secrets", {
  enabled: flag(false, "Whether secret values are hidden from models, logs and sessions", {
    scope: "user",
    guards: { kind: "confinement", closed: true },
  }),
});
