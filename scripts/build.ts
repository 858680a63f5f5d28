// Builds dist/tau, a single file that needs neither Node nor Bun nor node_modules.

import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ASSET_FOLDER } from "../packages/host/src/engines/embedded-engines.ts";
import { packEngines } from "../packages/host/src/engines/pack-engines.ts";
import { compile } from "./compile.ts";

const root = join(import.meta.dir, "..");
const name = process.platform === "win32" ? "tau.exe" : "tau";
const outfile = join(root, "dist", name);
// Of this build alone: two at once must not take each other's.
const staging = join(root, "dist", `build-${process.pid}`);
mkdirSync(staging, { recursive: true });

try {
  const engines = join(staging, ASSET_FOLDER);
  const { packed, missing } = await packEngines(engines);
  await compile({ root, entry: join(root, "packages/tau/src/main.ts"), engines, outfile });
  const megabytes = (statSync(outfile).size / 1024 / 1024).toFixed(0);
  console.log(`dist/${name}: ${megabytes} MB with ${packed.length} engines`);
  for (const why of missing) console.log(`  without one: ${why}`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
