// Changes three files of one directory together, again and again, until it is killed:
// `changing-process.ts DIRECTORY AGENT_DIRECTORY [COUNT]`. Every file holds the same number; each
// change adds one to all. With a count it stops after so many changes of its own, and tries again
// where another process was faster.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeFiles } from "../change-files.ts";
import type { FileChange } from "../file-change.ts";
import { FileProblem } from "../file-problem.ts";
import { COUNTED_FILES, countText } from "./counted-files.ts";

const [directory, agentDirectory, count] = process.argv.slice(2) as [string, string, string?];

async function nextChange(): Promise<FileChange[]> {
  const texts = await Promise.all(
    COUNTED_FILES.map((name) => readFile(join(directory, name), "utf8")),
  );
  return texts.map((before, at) => ({
    path: join(directory, COUNTED_FILES[at]!),
    before,
    after: countText(Number.parseInt(before, 10) + 1),
  }));
}

const most = count === undefined ? Infinity : Number(count);
for (let done = 0; done < most;) {
  try {
    await changeFiles(await nextChange(), { agentDirectory });
    done += 1;
    // Warm from here on: whoever kills it now hits a change, and not a start.
    if (done === 1) process.stdout.write("ready\n");
  } catch (error) {
    if (!(error instanceof FileProblem) || error.code !== "changed") throw error;
  }
}
