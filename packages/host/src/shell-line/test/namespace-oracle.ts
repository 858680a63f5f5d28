// Runs command lines for real, each on fresh files in a namespace of its own, and says what is
// there afterwards outside the project, and among its git hooks. Everything else of the machine is read-only there, so that
// a line the judge was wrong about does no harm.

import { createScratchDirectory } from "@tau/testkit/scratch";
import { readFile, writeFile } from "node:fs/promises";

/** Long for any of the lines; what still runs then is ended. */
const LINE_TIMEOUT_S = 3;

/** What lies outside: `type mode path -> target` for each entry, `hash path` for each file. */
export type OutsideState = ReadonlySet<string>;

const FILES: Readonly<Record<string, string>> = {
  "home/me/docs/a": "mine\n",
  "home/me/docs/deep/b": "mine too\n",
  "home/me/.bashrc": "# mine\n",
  "home/me/.ssh/id_rsa": "secret\n",
  "home/me/project/a": "one\ntwo\n",
  "home/me/project/b": "three\n",
  "home/me/project/src/c.ts": "four\n",
  "home/me/project/x.tar": "",
  "outside/o": "theirs\n",
};

/** In the namespace: sets everything back, runs one line, lists what is outside. */
const DRIVER = `
cd /
reset() {
  chmod -R u+rwX /home/me /outside 2>/dev/null
  # A link that one line leaves in /tmp would be another line's harm.
  find /home/me /outside /tmp -mindepth 1 -delete 2>/dev/null
  cp -a /template/. / 2>/dev/null
}
state() {
  find home/me outside -path home/me/project -prune -o -printf '%y %m %p %l\\n' -type f -exec md5sum {} +
  find home/me/project/.git/hooks -printf '%y %m %p %l\\n' 2>/dev/null
}
reset; state > /out/before
for file in /lines/*; do
  reset
  ( cd /home/me/project && timeout -s KILL ${LINE_TIMEOUT_S} bash --noprofile --norc "$file" ) </dev/null >/dev/null 2>&1
  cd /
  chmod u+rwx /home/me /outside 2>/dev/null
  state > "/out/\${file##*/}" 2>/dev/null
done
`;

export async function openOracle() {
  const scratch = await createScratchDirectory();
  for (const [path, text] of Object.entries(FILES)) await scratch.write(`template/${path}`, text);
  await Bun.$`cd ${scratch.path("template/home/me/project")} && git init -q --template= . && mkdir .git/hooks && git add -A && git -c user.name=x -c user.email=x@y commit -qm x && tar cf x.tar a b`.quiet();
  await scratch.write("driver.sh", DRIVER);
  return {
    /** Of each line; and first how things stand before any of them. */
    async run(lines: readonly string[]): Promise<{ before: OutsideState; after: OutsideState[] }> {
      await Bun.$`rm -rf ${scratch.path("lines")} ${scratch.path("out")}`.quiet();
      await Bun.$`mkdir ${scratch.path("lines")} ${scratch.path("out")}`.quiet();
      const names = lines.map((_, index) => String(index).padStart(6, "0"));
      await Promise.all(
        lines.map((line, index) => writeFile(scratch.path(`lines/${names[index]}`), `${line}\n`)),
      );
      const child = Bun.spawn(["bwrap", ...mounts(scratch.root), "bash", "/driver.sh"], {
        env: { PATH: "/usr/bin:/bin", HOME: "/home/me", TMPDIR: "/tmp" },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "inherit",
      });
      await child.exited;
      const read = async (name: string): Promise<OutsideState> => {
        const text = await readFile(scratch.path(`out/${name}`), "utf8");
        return new Set(text.split("\n").filter((line) => line !== ""));
      };
      return { before: await read("before"), after: await Promise.all(names.map(read)) };
    },
    async [Symbol.asyncDispose]() {
      await scratch[Symbol.asyncDispose]();
    },
  };
}

function mounts(root: string): string[] {
  const system = ["/usr", "/bin", "/lib", "/lib64", "/etc"];
  return [
    "--unshare-all --die-with-parent --new-session",
    ...system.map((path) => `--ro-bind-try ${path} ${path}`),
    "--proc /proc --dev /dev --tmpfs /tmp --tmpfs /home/me --tmpfs /outside",
    `--ro-bind ${root}/template /template --ro-bind ${root}/lines /lines`,
    `--bind ${root}/out /out --ro-bind ${root}/driver.sh /driver.sh`,
  ].flatMap((options) => options.split(" "));
}
