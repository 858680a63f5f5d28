// Gives up rights and becomes another program: `run-confined SPEC PROGRAM [WORD]…`. It is started by Tau in
// the place of what it becomes, in the same process, so that signals, pipes, the terminal and whoever waits
// for the end notice nothing. If anything is refused, nothing runs.

import { readFileSync, readlinkSync } from "node:fs";
import { programOnPath } from "../../process/program-on-path.ts";
import { HIDDEN_VARIABLES } from "../hidden-places.ts";
import { PROFILES, type ConfinedWork } from "../profiles.ts";
import { hasNetwork, placesOf, type SandboxOptions } from "../sandbox-places.ts";
import { ConfineError, openConfineCalls, type ConfineCalls } from "./confine-calls.ts";
import { filterCalls, giveUpPrivileges } from "./give-up-privileges.ts";
import { landlockRules, type LandlockRule } from "./landlock-rules.ts";
import { restrictSelf } from "./landlock-ruleset.ts";
import { seccompFilter } from "./seccomp-filter.ts";

export interface ConfinedSpec {
  options: SandboxOptions;
  work: ConfinedWork;
}

/** As shells have it, for a program that cannot be run. */
export const NOT_RUN = 126;
const CLOSE_RANGE = 436;
const LAST_DESCRIPTOR = 0xffffffff;
const CLOSE_ON_EXEC = 4;
const FIRST_OWN = 3;
/** A channel to whoever started it, as Bun and Node name it. */
const CHANNEL = "NODE_CHANNEL_FD";

export function runConfined([spec = "", program = "", ...words]: readonly string[]): never {
  try {
    become(JSON.parse(spec) as ConfinedSpec, program, words);
  } catch (error) {
    if (!(error instanceof ConfineError)) throw error;
    process.stderr.write(`${error.message}; nothing was run\n`);
  }
  process.exit(NOT_RUN);
}

function become({ options, work }: ConfinedSpec, program: string, words: readonly string[]): void {
  const calls = openConfineCalls();
  const network = hasNetwork(options, work) ? "on" : "off";
  const filter = seccompFilter({ network, arch: process.arch });
  if (!filter) throw new ConfineError(`there is no filter for system calls on ${process.arch}`);
  const base = PROFILES[work.profile].reads === "given" ? "none" : "read";
  const rules = [...landlockRules(placesOf(options, work), base), ...ownTerminal()];
  const environment = ownEnvironment();
  const found = programOnPath(program, process.env.PATH) ?? program;
  inheritOnlyChannel(calls, environment);
  calls.resetSignals();
  giveUpPrivileges(calls);
  restrictSelf(calls, rules, { network });
  filterCalls(calls, filter);
  calls.execute(found, [program, ...words], environment);
  throw new ConfineError(`${program} could not be started`);
}

/** As they were given, byte by byte. */
function ownEnvironment(): Uint8Array[] {
  const bytes = readFileSync("/proc/self/environ");
  const entries: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0, from);
    const to = end < 0 ? bytes.length : end;
    const entry = bytes.subarray(from, to);
    const name = entry.subarray(0, Math.max(0, entry.indexOf("="))).toString("latin1");
    if (!HIDDEN_VARIABLES.includes(name)) entries.push(entry);
    from = to + 1;
  }
  return entries;
}

function inheritOnlyChannel(calls: ConfineCalls, environment: readonly Uint8Array[]): void {
  calls.syscall(CLOSE_RANGE, FIRST_OWN, LAST_DESCRIPTOR, CLOSE_ON_EXEC);
  const entry = environment.find((each) =>
    Buffer.from(each).toString("latin1").startsWith(`${CHANNEL}=`),
  );
  if (entry)
    calls.keepOpen(
      Number(
        Buffer.from(entry)
          .toString("latin1")
          .slice(CHANNEL.length + 1),
      ),
    );
}

/** The terminal that it was given can also be opened by its name; no other one can. */
function ownTerminal(): LandlockRule[] {
  const names = [0, 1, 2].map((descriptor) => readlinkSync(`/proc/self/fd/${descriptor}`));
  return [...new Set(names)]
    .filter((name) => /^\/dev\/pts\/\d+$/.test(name))
    .map((path) => ({ path, grant: "device" }));
}

if (import.meta.main) runConfined(process.argv.slice(2));
