// The draft in the user's own editor: the terminal is lent to it, and what it leaves in the file
// becomes the draft.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { freeVariables } from "@tau/host/process/reaper";
import { temporaryDirectory } from "../../config/places.ts";
import { UserError } from "../../user-error.ts";
import type { Surface } from "./surface.ts";

export async function editOutside(
  text: string,
  { surface, env }: { surface: Surface; env: Environment },
): Promise<string | undefined> {
  const editor = env.VISUAL || env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
  const directory = await mkdtemp(join(temporaryDirectory(env), "tau-draft-"));
  const file = join(directory, "draft.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await surface.lend(() => runEditor(editor, file, env));
    if (code !== 0) throw new UserError(`${editor} ended with ${code}; the draft is unchanged`);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Through a shell: `EDITOR="code --wait"` has arguments of its own. */
async function runEditor(editor: string, file: string, env: Environment): Promise<number> {
  const command =
    process.platform === "win32"
      ? ["cmd.exe", "/d", "/s", "/c", `${editor} "${file}"`]
      : ["/bin/sh", "-c", `${editor} "$1"`, "sh", file];
  const child = Bun.spawn(command, {
    env: { ...env, ...freeVariables() },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  return child.exited;
}
