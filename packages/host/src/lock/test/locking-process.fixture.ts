// Another process at a lock: `count` adds to the number in a file, so many times; `hold` keeps the
// lock until it is killed.

import { readFile, writeFile } from "node:fs/promises";
import { withFileLock } from "../file-lock.ts";

const [what, file, times] = process.argv.slice(2);

if (what === "hold") {
  await withFileLock(file!, async () => {
    process.stdout.write("held\n");
    await Bun.sleep(60_000);
  });
}
for (let count = 0; count < Number(times ?? 0); count += 1) {
  await withFileLock(file!, async () => {
    const number = Number(await readFile(file!, "utf8"));
    await Bun.sleep(Math.random() * 2);
    await writeFile(file!, String(number + 1));
  });
}
