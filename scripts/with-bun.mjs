// Runs Bun with the given arguments after installing what is missing: the one way
// npm scripts reach Bun, since nothing says that it is on the PATH.
import { spawn } from "node:child_process";
import { bunPath, ensureInstalled, root } from "./install.mjs";

await ensureInstalled("dev");
const child = spawn(bunPath, process.argv.slice(2), { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code, signal) => process.exit(signal ? 1 : code));
