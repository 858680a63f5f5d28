// An overlay by whoever runs this, and what is so in it, as JSON. Started by `unprivileged.test.ts`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownedEnvironment } from "../process/reaper.ts";
import { isolate } from "./isolate.ts";
import { mergePatch } from "./merge-patch.ts";

const [root, directory] = process.argv.slice(2) as [string, string];
const env = process.env;
const tree = await isolate({ cwd: root, directory, id: "x", env }, { mechanism: "overlay" });
await writeFile(join(tree.root, "a.txt"), "by Tau\n");
const script =
  "id -u; pwd; cat a.txt; echo more >> a.txt; touch /etc/forbidden 2>/dev/null && echo ROOT";
const child = Bun.spawnSync([...tree.enter!.argv, "sh", "-c", script], {
  cwd: tree.cwd,
  env: ownedEnvironment(env),
});
const parent = await readFile(join(root, "a.txt"), "utf8");
const { patches } = await tree.changes();
const outcome = await mergePatch({ root, directory, env }, patches[0]!);
await tree.remove();
const said = child.stdout.toString();
const merged = await readFile(join(root, "a.txt"), "utf8");
console.log(JSON.stringify({ said, tree: tree.root, parent, outcome: outcome.kind, merged }));
process.exit(0);
