import { expect } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { cp, mkdtemp, rm, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NOBODY = "65534";

/** A program of its own: what is said here cannot be taken back. */
const PROGRAM = `
const { adoptOrphans, closeToOthers, markByLimit } = await import("./process/system-calls.ts");
const said = [adoptOrphans(), closeToOthers()];
const mark = markByLimit();
const limits = Bun.spawnSync(["env", "-i", "setsid", "-w", "cat", "/proc/self/limits"]).stdout.toString();
const isMarked = mark !== undefined && new RegExp("msgqueue size +" + mark + " ").test(limits);
const look = Bun.spawnSync(["/bin/sh", "-c", "cat /proc/$PPID/environ; (sleep 0.3 & echo $!) | cat"]);
const orphan = look.stdout.toString().trim().split("\\n").at(-1);
const stat = await Bun.file("/proc/" + orphan + "/stat").text();
const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
console.log(JSON.stringify({ said, out: look.stdout.toString(), isAdopted: parent === process.pid, isMarked }));
`;

async function run(prefix: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), "tau-system-calls-"));
  try {
    await chmod(directory, 0o755);
    await cp(process.execPath, join(directory, "bun"));
    await cp(join(import.meta.dir, "system-calls.ts"), join(directory, "process/system-calls.ts"));
    await cp(join(import.meta.dir, "..", "c-library.ts"), join(directory, "c-library.ts"));
    await Bun.write(join(directory, "main.ts"), PROGRAM);
    const child = Bun.spawn([...prefix, join(directory, "bun"), join(directory, "main.ts")], {
      cwd: directory,
      env: { KEY: "the-key", PATH: "/usr/bin:/bin", HOME: directory },
      stderr: "inherit",
    });
    return JSON.parse(await child.stdout.text()) as {
      said: boolean[];
      out: string;
      isAdopted: boolean;
      isMarked: boolean;
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

testWith(
  { program: "setpriv", proves: "other processes of the user cannot read Tau's environment" },
  "the environment is closed to children, and orphans are adopted",
  async (setpriv) => {
    // Root reads everything, so the test gives that power up first.
    const isRoot = process.getuid?.() === 0;
    const prefix = isRoot
      ? [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
      : [];
    const { said, out, isAdopted, isMarked } = await run(prefix);
    expect(said).toEqual([true, true]);
    expect(out).not.toContain("the-key");
    expect(isAdopted).toBe(true);
    // Through a cleared environment and a session of its own.
    expect(isMarked).toBe(true);
  },
);
