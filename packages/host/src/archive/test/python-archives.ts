// Archives made and read by Python's own zipfile and tarfile, as judges of ours.

import { join } from "node:path";

export interface PythonMember {
  name: string;
  /** Base64 of the content; a link has its target in `target` instead. */
  data: string;
  mode: number;
  mtime: number;
  kind: "file" | "directory" | "link";
  target?: string;
  /** How a zip packs it. */
  stored?: boolean;
}

const SCRIPT = join(import.meta.dir, "archives.py");

export async function makeArchive(
  python: string,
  path: string,
  format: string,
  members: readonly PythonMember[],
): Promise<void> {
  await run(python, ["make", format, path], JSON.stringify(members));
}

export async function readArchive(python: string, path: string): Promise<PythonMember[]> {
  return JSON.parse(await run(python, ["read", path], ""));
}

async function run(python: string, args: string[], input: string): Promise<string> {
  const child = Bun.spawn([python, SCRIPT, ...args], {
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`python ended with ${code}: ${err}`);
  return out;
}
