// A tree as an overlay: what is read comes from the parent's directory, what is written goes to one beside it. The mount is
// made in a namespace of its own, for which nobody has to be root, and which a small process holds.
//
// Only processes in that namespace see the mount, but Tau's own file tools run outside of it. They come to it through
// `/proc/PID/root` of the holder, and by the same path: where the directory above the mount is inside, there is a link to
// it outside.
// The system calls that path its own, inside and out, so real paths stay what they were and no check of
// containment is led astray. When the holder is gone the link leads nowhere; if its number is given to another process,
// the link leads to itself, which is refused. It never leads to the parent's tree.

import { mkdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { canReadLayers } from "./overlay-layer.ts";
import { absoluteEntries, programOnPath } from "../process/program-on-path.ts";
import { nameMount } from "../guard/real-path.ts";
import { startTimeOf } from "../process/process-tree.ts";
import type { ProcessWrapper } from "../process/process-wrapper.ts";
import { ownedEnvironment } from "../process/reaper.ts";

/** As a part of a sentence: why this machine has none. */
export class OverlayUnavailable extends Error {
  override readonly name = "OverlayUnavailable";
}

export interface Holder {
  pid: number;
  /** With it, the number means one process. */
  start: string;
}

export interface Overlay {
  root: string;
  /** Where what is written goes. */
  upper: string;
  holder: Holder;
  enter: ProcessWrapper;
  end(): Promise<void>;
}

export interface OverlayOptions {
  /** Of this tree alone: it gets `mount`, `inside`, `lower`, `upper`, `work`. */
  directory: string;
  /** Of the tree's root. */
  name: string;
  /** The parent's root. */
  lower: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Above the root, which is a directory to whoever looks at it: inside this is one as well. */
const LINK = "tree";

/** Paths are short and relative, so that none has a character that the option means something else by. */
const SCRIPT = `
cd "$1" &&
mount --bind inside mount &&
mount -t overlay overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work "mount/tree/$2" &&
echo ready &&
# Until Tau closes the other end, or is gone.
read -r _
`;

interface Namespace {
  flags: readonly string[];
  /** Whether users are others in there, and have to be told who they are. */
  hasUsers: boolean;
}

const WITH_USERS: Namespace = { flags: ["--user", "--map-root-user", "--mount"], hasUsers: true };
/** For root, to whom files of all users stay what they are. */
const WITHOUT_USERS: Namespace = { flags: ["--mount"], hasUsers: false };

/** For a mount; a machine that is that slow is better off without. */
const READY_MS = 5000;
const TOO_SLOW = "mounting an overlay took too long";

/** What has been found out, by the devices of both directories: what works, or why nothing does. */
const known = new Map<string, Namespace | string>();

/** Rejects with `OverlayUnavailable`. */
export async function mountOverlay(options: OverlayOptions): Promise<Overlay> {
  if (process.platform !== "linux") {
    throw new OverlayUnavailable("only Linux has overlays that need no administrator");
  }
  if (!canReadLayers()) throw new OverlayUnavailable("this program cannot call the C library");
  const { directory, name, lower } = options;
  for (const part of ["mount", "upper", "work", join("inside", LINK, name)]) {
    await mkdir(join(directory, part), { recursive: true });
  }
  const key = await devicesOf(directory, lower);
  const before = known.get(key);
  if (typeof before === "string") throw new OverlayUnavailable(before);
  await symlink(lower, join(directory, "lower"));
  const isRoot = process.geteuid?.() === 0;
  const candidates = before ? [before] : isRoot ? [WITHOUT_USERS, WITH_USERS] : [WITH_USERS];
  let why = "";
  for (const namespace of candidates) {
    const held = await hold(namespace, options);
    if (typeof held !== "string") {
      known.set(key, namespace);
      return await link(held, namespace, options);
    }
    why = held;
  }
  // A busy machine may be quicker the next time.
  if (why !== TOO_SLOW) known.set(key, why);
  throw new OverlayUnavailable(why);
}

async function devicesOf(...paths: string[]): Promise<string> {
  return (await Promise.all(paths.map(async (path) => (await stat(path)).dev))).join(":");
}

type HolderProcess = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** The process, or why there is none. */
async function hold(
  { flags }: Namespace,
  { directory, name, env }: OverlayOptions,
): Promise<HolderProcess | string> {
  const unshare = programOnPath("unshare", env.PATH);
  if (unshare === undefined || programOnPath("nsenter", env.PATH) === undefined) {
    return "unshare and nsenter (util-linux) are not installed";
  }
  const child = Bun.spawn(
    [unshare, ...flags, "/bin/sh", "-c", SCRIPT, "tau-tree", directory, name],
    {
      cwd: "/",
      env: ownedEnvironment({ PATH: `${absoluteEntries(env.PATH)}:/usr/sbin:/sbin`, LC_ALL: "C" }),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS);
  const reader = child.stdout.getReader();
  // It says so, or it ends.
  const { value } = await reader.read();
  clearTimeout(timer);
  reader.releaseLock();
  if (value !== undefined) {
    child.unref();
    return child;
  }
  const said = (await child.stderr.text()).trim().split("\n")[0] ?? "";
  await child.exited;
  return said === "" ? TOO_SLOW : `an overlay cannot be mounted (${said})`;
}

async function link(
  child: HolderProcess,
  namespace: Namespace,
  { directory, name, env }: OverlayOptions,
): Promise<Overlay> {
  const at = join(directory, "mount", LINK);
  const root = join(at, name);
  const named = nameMount(at);
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    await rm(at, { force: true });
    named[Symbol.dispose]();
  };
  try {
    await symlink(`/proc/${child.pid}/root${at}`, at);
    // It is what it should be only if it is a mount of its own.
    const [inside, outside] = await Promise.all([stat(root), stat(join(directory, "upper"))]);
    if (inside.dev === outside.dev) throw new OverlayUnavailable("the mount cannot be reached");
    const start = startTimeOf(child.pid) ?? "";
    const enter = enterCommand(child.pid, namespace, env);
    return {
      root,
      upper: join(directory, "upper"),
      holder: { pid: child.pid, start },
      enter: { argv: enter, processes: 0 },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Both replace themselves with what they start, so that no process is between. */
function enterCommand(
  pid: number,
  { hasUsers }: Namespace,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const nsenter = programOnPath("nsenter", env.PATH)!;
  const enter = [nsenter, "--target", `${pid}`, "--mount", "--wd=."];
  const [user, group] = [process.geteuid!(), process.getegid!()];
  if (!hasUsers) return [...enter, "--"];
  const asRoot = [...enter, "--user", "--preserve-credentials", "--"];
  if (user === 0) return asRoot;
  const unshare = programOnPath("unshare", env.PATH)!;
  return [...asRoot, unshare, "--user", `--map-user=${user}`, `--map-group=${group}`, "--"];
}
