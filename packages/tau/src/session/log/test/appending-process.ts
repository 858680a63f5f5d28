// A process that opens a session, appends until it is killed, and says on its standard
// output what it was promised: whatever it said must be on disk.

import { createDiskStorage } from "@tau/host/storage";
import { writeSync } from "node:fs";
import { createBlobStore } from "../blob-store.ts";
import { openSession } from "../open-session.ts";
import { reply, result, user } from "./support.ts";

const [path, blobDirectory, count = "1000000"] = process.argv.slice(2);
const storage = createDiskStorage();
const blobs = createBlobStore(storage, blobDirectory!);
try {
  const log = await openSession(path!, { storage, blobs, mode: "write" });
  writeSync(1, `open ${process.pid}\n`);
  for (let index = 0; index < Number(count); index += 1) {
    const image = Buffer.alloc(900, index).toString("base64");
    const batch = [reply(`${index}`, ["c"]), result("c", "x".repeat(index % 500), image)];
    const [entries, entry] = await Promise.all([
      log.appendAll(batch),
      log.append(user(`${index}`)),
    ]);
    writeSync(1, [...entries, entry].map(({ id }) => `${id}\n`).join(""));
  }
  await log.close();
} catch (error) {
  writeSync(1, `refused ${error instanceof Error ? `${error.name}: ${error.message}` : error}\n`);
}
