// Builds dist/tau, a single file that needs neither Node nor Bun nor node_modules.
// Splitting keeps what a command does not use out of its start; bytecode skips parsing.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const name = process.platform === "win32" ? "tau.exe" : "tau";
const outfile = join(root, "dist", name);
mkdirSync(join(root, "dist"), { recursive: true });

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
    `--outfile=${outfile}`,
    "packages/tau/src/main.ts",
  ],
  { cwd: root, stdout: "pipe", stderr: "pipe" },
);
if (!build.success) {
  process.stderr.write(build.stdout);
  process.stderr.write(build.stderr);
  process.exit(1);
}
const megabytes = (statSync(outfile).size / 1024 / 1024).toFixed(0);
console.log(`dist/${name}: ${megabytes} MB`);
