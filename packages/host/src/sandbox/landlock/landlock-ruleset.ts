// Landlock, the kernel's way for a process to give up rights over files, TCP, and processes outside: no
// root, no namespaces. Versions of the kernel know different numbers of rights; what one does not know
// it does not refuse.

import { ConfineError, type ConfineCalls } from "./confine-calls.ts";
import type { Grant, LandlockRule } from "./landlock-rules.ts";

const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
/** Asks for the version instead of making a set of rules. */
const ASK_VERSION = 1;
const PATH_BENEATH = 1;

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIRECTORY = 1n << 3n;
const MAKE_DEVICES = (1n << 6n) | (1n << 11n);
const TRUNCATE = 1n << 14n;
const DEVICE_CONTROL = 1n << 15n;
/** Those that a rule for something other than a directory may have. */
const FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL;
/** How many rights over files each version knows. */
const KNOWN_RIGHTS: readonly number[] = [0, 13, 14, 15, 15, 16];
const TCP_RIGHTS = 0b11n;
const TCP_VERSION = 4;
/** Abstract sockets, and signals. */
const SCOPES = 0b11n;
const SCOPE_VERSION = 6;

/** Before it, files that must not be written could be emptied. */
const LEAST_VERSION = 3;

const GRANTS: Readonly<Record<Grant, bigint>> = {
  list: READ_DIRECTORY,
  read: READ_DIRECTORY | READ_FILE | EXECUTE,
  write: ~(MAKE_DEVICES | DEVICE_CONTROL),
  device: READ_FILE | WRITE_FILE | TRUNCATE | DEVICE_CONTROL,
};

/** 0 if the kernel has none, or does not let it be used. */
function landlockVersion(calls: ConfineCalls): number {
  return Math.max(0, calls.syscall(CREATE_RULESET, 0, 0, ASK_VERSION));
}

/** From here on this thread has the granted rights and no others. Needs `no new privileges`. */
export function restrictSelf(
  calls: ConfineCalls,
  rules: readonly LandlockRule[],
  { network }: { network: "on" | "off" },
): void {
  const version = landlockVersion(calls);
  if (version < LEAST_VERSION) {
    const found = version === 0 ? "this kernel has no Landlock" : `its version is ${version}`;
    throw new ConfineError(`${found}, version ${LEAST_VERSION} is needed`);
  }
  const rights = (1n << BigInt(KNOWN_RIGHTS[version] ?? KNOWN_RIGHTS.at(-1)!)) - 1n;
  const set = new BigUint64Array([
    rights,
    version >= TCP_VERSION && network === "off" ? TCP_RIGHTS : 0n,
    version >= SCOPE_VERSION ? SCOPES : 0n,
  ]);
  const fields = version >= SCOPE_VERSION ? 3 : version >= TCP_VERSION ? 2 : 1;
  const ruleset = calls.syscall(CREATE_RULESET, bytesOf(set), fields * set.BYTES_PER_ELEMENT, 0);
  if (ruleset < 0) throw new ConfineError("Landlock made no set of rules");
  for (const { path, grant } of rules) addRule(calls, ruleset, path, GRANTS[grant] & rights);
  if (calls.syscall(RESTRICT_SELF, ruleset, 0) < 0) throw new ConfineError("Landlock refused");
  calls.close(ruleset);
}

const RULE_BYTES = 12;

function addRule(calls: ConfineCalls, ruleset: number, path: string, rights: bigint): void {
  const descriptor = calls.openPath(path);
  // Gone meanwhile, or not ours to see: then there is nothing to grant.
  if (descriptor < 0) return;
  const rule = new DataView(new ArrayBuffer(RULE_BYTES));
  rule.setInt32(8, descriptor, true);
  const add = (wanted: bigint): boolean => {
    rule.setBigUint64(0, wanted, true);
    return calls.syscall(ADD_RULE, ruleset, PATH_BENEATH, new Uint8Array(rule.buffer), 0) === 0;
  };
  // Not a directory: it takes only what can be done with a file.
  if (!add(rights) && rights & FILE_RIGHTS) add(rights & FILE_RIGHTS);
  calls.close(descriptor);
}

function bytesOf(words: BigUint64Array): Uint8Array {
  return new Uint8Array(words.buffer);
}
