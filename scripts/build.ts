// Builds dist/tau, a single file that needs neither Node nor Bun nor node_modules.
// Splitting keeps what a command does not use out of its start; bytecode skips parsing.

import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ASSET_FOLDER } from "../packages/host/src/engines/embedded-engines.ts";
import { packEngines } from "../packages/host/src/engines/pack-engines.ts";

const root = join(import.meta.dir, "..");
const name = process.platform === "win32" ? "tau.exe" : "tau";
const outfile = join(root, "dist", name);
// Of this build alone: two at once must not take each other's.
const staging = join(root, "dist", `build-${process.pid}`);
mkdirSync(staging, { recursive: true });

try {
  const { packed, missing } = await packEngines(join(staging, ASSET_FOLDER));
  const build = Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      "--splitting",
      "--bytecode",
      "--format=esm",
      "--minify",
      // The directory Tau works in must not shape Tau: see ./tau.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      // Code cells import packages of the project they work in.
      "--compile-autoload-package-json",
      `--asset=${join(staging, ASSET_FOLDER)}`,
      `--outfile=${outfile}`,
      "packages/tau/src/main.ts",
    ],
    { cwd: root, stdout: "pipe", stderr: "pipe" },
  );
  if (!build.success) {
    process.stderr.write(build.stdout);
    process.stderr.write(build.stderr);
    process.exitCode = 1;
  } else {
    const megabytes = (statSync(outfile).size / 1024 / 1024).toFixed(0);
    console.log(`dist/${name}: ${megabytes} MB with ${packed.length} engines`);
    for (const why of missing) console.log(`  without one: ${why}`);
  }
} finally {
  rmSync(staging, { recursive: true, force: true });
}
