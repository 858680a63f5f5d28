// Puts other content in the place of files again and again, until it is ended: `bun swap-files.ts PAIRS`, where
// PAIRS is JSON: the file, what stands there by right, and what does not. A link takes its place as well.

import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

const pairs = JSON.parse(process.argv[2] ?? "[]") as [
  file: string,
  good: string,
  foreign: string,
][];
const foreignFile = process.argv[3];

/** Never half: a start sees the one or the other. */
function put(file: string, content: string): void {
  writeFileSync(`${file}.part`, content);
  renameSync(`${file}.part`, file);
}

function link(file: string, target: string): void {
  rmSync(`${file}.part`, { force: true });
  symlinkSync(target, `${file}.part`);
  renameSync(`${file}.part`, file);
}

for (let round = 0; ; round++) {
  for (const [file, , foreign] of pairs) {
    if (round % 3 === 2 && foreignFile !== undefined) link(file, foreignFile);
    else put(file, foreign);
  }
  await Bun.sleep(1 + (round % 3));
  for (const [file, good] of pairs) put(file, good);
  // The right content stands there longer: only then is the project found to be as it was.
  await Bun.sleep(8 + (round % 7) * 4);
}
