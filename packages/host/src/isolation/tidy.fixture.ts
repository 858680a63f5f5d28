// Isolates a tree, or holds one, until it is killed. Started by `tidy.test.ts`.

import { isolate } from "./isolate.ts";
import type { IsolationMechanism } from "./isolated-tree.ts";

const [cwd, directory, id, mechanism] = process.argv.slice(2) as [
  string,
  string,
  string,
  IsolationMechanism,
];
const tree = await isolate({ cwd, directory, id, env: process.env }, { mechanism });
console.log(JSON.stringify({ root: tree.root, argv: tree.enter?.argv ?? [] }));
await Bun.sleep(60_000);
