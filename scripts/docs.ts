// Writes the generated parts of docs/. A test fails when they are out of date.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLineReference } from "../packages/tau/src/cli/reference.ts";
import { environmentReference } from "../packages/tau/src/config/environment-reference.ts";
import { keysReference } from "../packages/tau/src/modes/interactive/keys-reference.ts";
import { SETTING_GROUPS } from "../packages/tau/src/features/settings-table.ts";
import { VARIABLES } from "../packages/tau/src/features/variables-table.ts";
import { settingsReference } from "../packages/tau/src/config/reference.ts";
import { withEvents } from "../packages/tau/src/modes/rpc/events-reference.ts";
import { rpcReference } from "../packages/tau/src/modes/rpc/reference.ts";

const RPC_PAGE = "docs/rpc.md";

export const GENERATED: Record<string, () => string | Promise<string>> = {
  "docs/cli.md": commandLineReference,
  "docs/environment.md": () => environmentReference(VARIABLES),
  "docs/keys.md": keysReference,
  // Written by hand but for one section.
  [RPC_PAGE]: () => withEvents(readFileSync(join(import.meta.dir, "..", RPC_PAGE), "utf8")),
  "docs/rpc-commands.md": rpcReference,
  "docs/settings.md": () => settingsReference(SETTING_GROUPS),
};

if (import.meta.main) {
  for (const [path, make] of Object.entries(GENERATED)) {
    await Bun.write(join(import.meta.dir, "..", path), await make());
    console.log(path);
  }
  // The formatter aligns tables; what is written is what it would make of it.
  const pages = Object.keys(GENERATED);
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...pages], {
    cwd: join(import.meta.dir, ".."),
  });
}
