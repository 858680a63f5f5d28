// The first module of a checkout's executable. Compiled code is only started as long as it is what
// the sources say; otherwise ./tau is asked again, which compiles them first.

import { dirname, join } from "node:path";
import { isFresh } from "./inputs.ts";

/** Helpers must be of the same version as the Tau that starts them. */
const [, , word = ""] = process.argv;
const isHelper =
  (process.send !== undefined && word.startsWith("serve-")) ||
  word === "run-confined" ||
  word === "try-sandbox";
const { TAU_COMPILED_NOW: isNew } = process.env;
delete process.env.TAU_COMPILED_NOW;
const root = join(dirname(process.execPath), "..", "..", "..");
if (isNew || isHelper || isFresh(root, process.execPath)) {
  void import("../../packages/tau/src/main.ts");
} else {
  const { replaceProcess } = await import("./replace-process.ts");
  const env = { ...process.env, TAU_COMPILE: "1" };
  await replaceProcess(join(root, "tau"), process.argv.slice(2), env);
}
