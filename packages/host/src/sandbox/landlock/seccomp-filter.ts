// A filter for system calls, as the kernel's small machine runs it: what Landlock has no rights for is
// refused here. Sockets by their family: without the network there are none of the internet, and never
// those that lead to services of the user's (Docker, an SSH agent, tmux) or of the machine around this one.

import { constants } from "node:os";

export interface FilterOptions {
  network: "on" | "off";
  arch: string;
}

/** By processor: its number for the kernel, and those of the calls that are filtered. */
const PROCESSORS: Readonly<
  Record<string, { audit: number; calls: Readonly<Record<Call, number>> }>
> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      socket: 41,
      ioctl: 16,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      io_uring_setup: 425,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      socket: 198,
      ioctl: 29,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      io_uring_setup: 425,
    },
  },
};

type Call = "socket" | "ioctl" | "add_key" | "request_key" | "keyctl" | "io_uring_setup";

const { EACCES, EPERM, ENOSYS, ENETUNREACH } = constants.errno;

const INTERNET = [2, 10];
/** The kernel's own news of addresses and routes; libraries ask for them. */
const NETLINK = 16;
/** Types into a terminal as if its user had: TIOCSTI, TIOCLINUX. */
const TYPING = [0x5412, 0x541c];

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
/** Where the machine finds the call's number, the processor, and the low half of an argument. */
const NUMBER_AT = 0;
const PROCESSOR_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;
/** Calls of a second numbering on 64-bit PCs (x32). */
const SECOND_NUMBERING = 0x40000000;

type Step = readonly [code: number, yes: number, no: number, value: number];

/** Undefined on a processor whose calls are not known here. */
export function seccompFilter({ network, arch }: FilterOptions): Uint8Array | undefined {
  const processor = PROCESSORS[arch];
  if (!processor) return undefined;
  const { audit, calls } = processor;
  const refuse = (errno: number): Step => [RETURN, 0, 0, REFUSE | errno];
  const families = network === "on" ? [...INTERNET, NETLINK] : [NETLINK];
  const unreachable = network === "on" ? [] : INTERNET;
  const steps: Step[] = [
    [LOAD, 0, 0, PROCESSOR_AT],
    // Programs for another processor have other numbers: nothing of theirs is let through.
    [JUMP_IF_EQUAL, 1, 0, audit],
    refuse(EPERM),
    [LOAD, 0, 0, NUMBER_AT],
    ...(arch === "x64"
      ? ([[JUMP_IF_AT_LEAST, 0, 1, SECOND_NUMBERING], refuse(EPERM)] satisfies Step[])
      : []),
    // Whatever it is asked to do would pass by this filter.
    ...when(calls.io_uring_setup, [refuse(ENOSYS)]),
    // Keys that the kernel keeps for the user.
    ...[calls.add_key, calls.request_key, calls.keyctl].flatMap((call) =>
      when(call, [refuse(EPERM)]),
    ),
    ...when(calls.ioctl, [
      [LOAD, 0, 0, argumentAt(1)],
      ...TYPING.flatMap((request) => when(request, [refuse(EPERM)])),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...when(calls.socket, [
      [LOAD, 0, 0, argumentAt(0)],
      ...families.flatMap((family) => when(family, [[RETURN, 0, 0, ALLOW]])),
      ...unreachable.flatMap((family) => when(family, [refuse(ENETUNREACH)])),
      refuse(EACCES),
    ]),
    [RETURN, 0, 0, ALLOW],
  ];
  return encode(steps);
}

/** The steps, if what was loaded last equals the value; else what comes after them. */
function when(value: number, steps: readonly Step[]): Step[] {
  return [[JUMP_IF_EQUAL, 0, steps.length, value], ...steps];
}

const STEP_BYTES = 8;

function encode(steps: readonly Step[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(steps.length * STEP_BYTES));
  for (const [at, [code, yes, no, value]] of steps.entries()) {
    bytes.setUint16(at * STEP_BYTES, code, true);
    bytes.setUint8(at * STEP_BYTES + 2, yes);
    bytes.setUint8(at * STEP_BYTES + 3, no);
    bytes.setUint32(at * STEP_BYTES + 4, value >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}
