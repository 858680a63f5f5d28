// Grammar packages carry parsers for every platform and their own C sources: ten times what
// this machine can use. What is for other machines is removed after an installation.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const SYSTEMS = { linux: "Linux", darwin: "macOS", win32: "Windows" };
const ARCHITECTURES = { x64: "X64", arm64: "ARM64" };

export function pruneGrammars(modules) {
  const scope = join(modules, "@ast-grep");
  const own = `prebuild-${SYSTEMS[process.platform]}-${ARCHITECTURES[process.arch]}`;
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    if (!name.startsWith("lang-")) continue;
    rmSync(join(scope, name, "src"), { recursive: true, force: true });
    rmSync(join(scope, name, "type.d.ts"), { force: true });
    const builds = join(scope, name, "prebuilds");
    for (const build of existsSync(builds) ? readdirSync(builds) : []) {
      if (build !== own) rmSync(join(builds, build), { recursive: true, force: true });
    }
  }
}
