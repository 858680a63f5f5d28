// Compiles a source checkout and starts it, or starts the modules themselves. Run by Bun, from
// ./tau, when there is no executable yet or a source has changed since.
// Kept below 4 KB: of larger files Bun leaves a translation in the user's home.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const source = join(root, "packages", "tau", "src", "main.ts");

/** Undefined where the sources do not compile: started as they are, they say why. */
async function executable() {
  // Without a directory to go to, there is none that an executable could be started in.
  const { TAU_FROM_SOURCE, TAU_START_DIRECTORY } = process.env;
  if (TAU_FROM_SOURCE || !TAU_START_DIRECTORY) return undefined;
  try {
    const { currentExecutable } = await import("./checkout/build.ts");
    return await currentExecutable(root);
  } catch (error) {
    // A checkout that may not be written is started as it is.
    if (typeof error.code === "string" || error instanceof AggregateError) return undefined;
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

const program = await executable();
goToWork();
if (program === undefined) await import(source);
else {
  const { replaceProcess } = await import("./checkout/replace-process.ts");
  const env = { ...process.env, TAU_COMPILED_NOW: "1" };
  await replaceProcess(program, process.argv.slice(2), env);
}
