// The abilities of the demo, in the order in which they are offered to the user and get
// to see a request. Adding an ability is one file and one line here.

import { explainFile } from "./intents/explain-file.ts";
import { findSymbol } from "./intents/find-symbol.ts";
import { lookAround } from "./intents/look-around.ts";
import { runCommand } from "./intents/run-command.ts";
import { smallEdit } from "./intents/small-edit.ts";
import type { Intent } from "./plan.ts";

export const INTENTS: readonly Intent[] = [
  lookAround,
  explainFile,
  findSymbol,
  runCommand,
  smallEdit,
];
