// Starts Tau from a source checkout at the speed of a bundle, which is made anew whenever a source
// has changed. One file with bytecode starts faster than many without. Run by Bun, from ./tau.
// Kept below 4 KB: of larger files Bun leaves a translation in the user's home.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const source = join(root, "packages", "tau", "src", "main.ts");
const home = join(root, "node_modules", ".tau");
const pointer = join(home, "app.json");

function current() {
  try {
    return JSON.parse(readFileSync(pointer, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Size and time of every file that went into it; a file that is gone differs from any. */
function isFresh(app) {
  if (app.bun !== Bun.version) return false;
  for (const [path, time, size] of app.inputs) {
    // Joined by hand: a thousand of these are on the way of every start.
    const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat === undefined || stat.mtimeMs !== time || stat.size !== size) return false;
  }
  return true;
}

async function entry() {
  // Two small modules answer this; looking at all the others would take longer.
  const isVersion = process.argv.length === 3 && /^(?:--version|-V)$/.test(process.argv[2]);
  if (process.env.TAU_FROM_SOURCE || isVersion) return source;
  const app = current();
  if (app && isFresh(app)) return join(home, app.main);
  try {
    mkdirSync(home, { recursive: true });
    const { bundleApp } = await import("./bundle-app.mjs");
    const built = await bundleApp({ root, source, home, pointer });
    return built ? join(home, built.main) : source;
  } catch (error) {
    // A checkout that may not be written is started as it is.
    if (typeof error.code === "string") return source;
    throw error;
  }
}

/**
 * Bun was started in Tau's own directory, so that it reads nothing of the one the user is in; only
 * now does Tau go there. Whoever Tau starts is told nothing of this.
 */
function goToWork() {
  const { TAU_START_DIRECTORY: place } = process.env;
  delete process.env.TAU_START_DIRECTORY;
  if (!place) return;
  try {
    process.chdir(place);
  } catch (error) {
    console.error(
      `tau: ${place} cannot be entered (${error.code}); start it in another directory.`,
    );
    process.exit(1);
  }
}

const main = await entry();
goToWork();
await import(main);
