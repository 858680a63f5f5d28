// npm run bench [-- --rounds N] [-- --json]: every figure of one run, as a table and as
// JSON in bench/results/latest.json. Exits with 1 when a bar is missed.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAgentsLoad } from "./agents-load.ts";
import { measureAgentScreens } from "./agent-screens.ts";
import { measureDecoding } from "./decode.ts";
import { measureEscape } from "./escape.ts";
import { measureExtensions } from "./extensions.ts";
import { measureGuard } from "./guard.ts";
import { measureImports } from "./import-cost.ts";
import { isMet, printTable, type Figure } from "./figure.ts";
import { measureInstalledSize } from "./installed-size.ts";
import { measureIsolation } from "./isolation.ts";
import { measureRead } from "./read.ts";
import { measureSandbox } from "./sandbox.ts";
import { measureScreens } from "./screens.ts";
import { measureSearch } from "./search.ts";
import { measureSessionLog } from "./session-log.ts";
import { measureShell } from "./shell.ts";
import { measureStartup } from "./startup.ts";
import { measureTerminal } from "./terminal.ts";
import { measureChunks, measureTurns } from "./turn.ts";
import { measureWorkingDay } from "./working-day/measure.ts";

const CHUNK_ROUNDS = 5;
const EXTENSION_ROUNDS = 9;
const SESSION_ROUNDS = 3;
const DECODE_ROUNDS = 7;
const SEARCH_ROUNDS = 9;
const TERMINAL_ROUNDS = 11;
const ESCAPE_ROUNDS = 3;
const SCREEN_ROUNDS = 9;
const SHELL_ROUNDS = 5;
const SANDBOX_ROUNDS = 9;
/** Each checks out 40,000 files. */
const ISOLATION_ROUNDS = 5;
const INSTALLED_BAR_BYTES = 100e6;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "21" }, json: { type: "boolean", default: false } },
});
const root = join(import.meta.dir, "..");
const rounds = Number(values.rounds);

// The executable is measured as it would be built now, not as it once was.
const build = Bun.spawnSync([process.execPath, "scripts/build.ts"], { cwd: root, stderr: "pipe" });
if (!build.success) throw new Error(`build failed: ${build.stderr.toString()}`);

const figures: Figure[] = await measureStartup(root, rounds);
figures.push(...(await measureTurns(root)));
figures.push(...(await measureExtensions(root, Math.min(rounds, EXTENSION_ROUNDS))));
figures.push(...(await measureChunks(root, Math.min(rounds, CHUNK_ROUNDS))));
figures.push(...(await measureSessionLog(Math.min(rounds, SESSION_ROUNDS))));
figures.push(...(await measureImports(root, rounds)));
// Each round decodes six times twenty thousand pieces; the median settles quickly.
figures.push(...(await measureDecoding(Math.min(rounds, DECODE_ROUNDS))));
figures.push(...(await measureRead(Math.min(rounds, 5))));
figures.push(...(await measureSearch(Math.min(rounds, SEARCH_ROUNDS))));
figures.push(...(await measureTerminal(root, Math.min(rounds, TERMINAL_ROUNDS))));
figures.push(...(await measureAgentScreens(root)));
figures.push(...(await measureEscape(root, Math.min(rounds, ESCAPE_ROUNDS))));
figures.push(...(await measureScreens(Math.min(rounds, SCREEN_ROUNDS))));
figures.push(...(await measureShell(Math.min(rounds, SHELL_ROUNDS))));
figures.push(...measureGuard());
figures.push(...(await measureWorkingDay(root)));
figures.push(...(await measureAgentsLoad(root)));
figures.push(...(await measureSandbox(root, Math.min(rounds, SANDBOX_ROUNDS))));
figures.push(...(await measureIsolation(Math.min(rounds, ISOLATION_ROUNDS))));
const size = await measureInstalledSize(root);
figures.push({
  name: "installed size, Bun apart",
  value: size.sourceBytes + size.dependencyBytes,
  unit: "bytes",
  bar: INSTALLED_BAR_BYTES,
});
figures.push({ name: "Bun itself", value: size.bunBytes, unit: "bytes" });
figures.push({
  name: "a checkout's executable",
  value: Bun.file(join(root, "node_modules", ".tau", "tau")).size,
  unit: "bytes",
});
figures.push({ name: "dist/tau", value: Bun.file(join(root, "dist", "tau")).size, unit: "bytes" });

const report = {
  at: new Date().toISOString(),
  bun: Bun.version,
  platform: `${process.platform}-${process.arch}`,
  rounds,
  figures: figures.map((figure) => ({ ...figure, met: isMet(figure) })),
};
mkdirSync(join(root, "bench", "results"), { recursive: true });
await Bun.write(join(root, "bench", "results", "latest.json"), JSON.stringify(report, null, 2));
console.log(values.json ? JSON.stringify(report, null, 2) : printTable(figures));
process.exit(figures.every((figure) => isMet(figure) !== false) ? 0 : 1);
