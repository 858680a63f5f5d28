// The front door. It answers what needs nothing, and hands everything else to one
// lazily imported module: what is imported here is paid for by every start.

import { exitProcess } from "@tau/tui/terminal/own-exit";
import { COMMAND, VERSION } from "./brand.ts";

/** By then a start has asked its first request or drawn its first frame. */
const STARTED_MS = 150;

// Executables are built so that code which runs once is not compiled further (scripts/compile.ts).
if (Bun.isStandaloneExecutable) {
  setTimeout(() => Bun.unsafe.setJITPolicy(1), STARTED_MS).unref();
}

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  console.log(`${COMMAND} ${VERSION}`);
} else if (args[0] === "serve-syntax" && process.send) {
  // Started by another Tau, see cli/self-command.ts.
  void import("@tau/host/syntax/serve-syntax").then(({ serveSyntax }) => serveSyntax());
} else if (args[0] === "serve-confined" && process.send) {
  void import("@tau/host/confined/serve-confined").then(({ serveConfined }) => serveConfined());
} else if (args[0] === "serve-cells" && process.send) {
  void import("@tau/host/kernel/javascript/serve-cells").then(({ serveCells }) => serveCells());
} else if (args[0] === "run-confined") {
  const words = args.slice(1);
  void import("@tau/host/sandbox/landlock/run-confined").then((own) => own.runConfined(words));
} else if (args[0] === "try-sandbox") {
  const words = args.slice(1);
  void import("@tau/host/sandbox/try-sandbox")
    .then((own) => own.trySandbox(words))
    .then(() => process.exit(0));
} else {
  void import("./cli/enter.ts").then(({ enter }) => enter(args)).then(exitProcess);
}
