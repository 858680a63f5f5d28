// A process without privileges and without a way to get any, and with a filter for its system calls.

import { ConfineError, type ConfineCalls } from "./confine-calls.ts";

const SET_SECCOMP = 22;
const FILTER_MODE = 2;
const DROP_FROM_BOUNDS = 24;
const SET_SECURE_BITS = 28;
const SET_NO_NEW_PRIVILEGES = 38;
const AMBIENT = 47;
const CLEAR_AMBIENT = 4;
const LAST_PRIVILEGE = 63;
/** Being user 0 gives nothing, and that stays so. */
const ROOT_IS_NOBODY = 0b1111;
const CAPABILITY_VERSION = 0x20080522;
const NO_CAPABILITIES_BYTES = 24;
const STEP_BYTES = 8;
const PROGRAM_BYTES = 16;

/** What only root can give up is refused to everybody else, who does not have it. */
export function giveUpPrivileges(calls: ConfineCalls): void {
  calls.prctl(SET_SECURE_BITS, ROOT_IS_NOBODY);
  for (let privilege = 0; privilege <= LAST_PRIVILEGE; privilege++) {
    calls.prctl(DROP_FROM_BOUNDS, privilege);
  }
  calls.prctl(AMBIENT, CLEAR_AMBIENT);
  const header = new Uint8Array(new Uint32Array([CAPABILITY_VERSION, 0]).buffer);
  if (calls.capset(header, new Uint8Array(NO_CAPABILITIES_BYTES)) !== 0) {
    throw new ConfineError("privileges could not be given up");
  }
  if (calls.prctl(SET_NO_NEW_PRIVILEGES, 1) !== 0) {
    throw new ConfineError("new privileges could not be ruled out");
  }
}

/** The last step but one: the filter also refuses calls of this process. */
export function filterCalls(calls: ConfineCalls, filter: Uint8Array): void {
  const program = new DataView(new ArrayBuffer(PROGRAM_BYTES));
  program.setUint16(0, filter.length / STEP_BYTES, true);
  program.setBigUint64(8, calls.addressOf(filter), true);
  if (calls.prctl(SET_SECCOMP, FILTER_MODE, new Uint8Array(program.buffer)) !== 0) {
    throw new ConfineError("system calls could not be filtered");
  }
}
