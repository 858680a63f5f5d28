// A process that keeps outputs among others that do the same, and says which numbers it got.

import { createDiskStorage } from "@tau/host/storage";
import { DiskArtifacts } from "../disk-artifacts.ts";

const [directory, name, count] = process.argv.slice(2);
const store = new DiskArtifacts({ storage: createDiskStorage(), directory: directory! });
const ids: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  // Every other one as a stream, and two at the same moment.
  const text = `${name} ${index}`;
  const [written, created] = await Promise.all([
    store.write(`${name}-${index}`, text),
    store.create(name!),
  ]);
  if (!written.ok || !created.ok) throw new Error("nothing was kept");
  await created.writer.append(text);
  ids.push(written.id, (await created.writer.close()).id);
}
process.stdout.write(JSON.stringify(ids));
