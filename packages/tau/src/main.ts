// The front door. It answers what needs nothing, and hands everything else to one
// lazily imported module: what is imported here is paid for by every start.

import { COMMAND, VERSION } from "./brand.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  console.log(`${COMMAND} ${VERSION}`);
} else {
  const { enter } = await import("./cli/enter.ts");
  process.exit(await enter(args));
}
