// Whether what runs in a sandbox without a network has tried to reach one. A network of its own, with
// nothing in it, counts what it could not send; so this is known of the programs themselves, whatever
// they print.

import { readIfThere } from "../process/process-tree.ts";
import type { ProcessWrapper } from "../process/process-wrapper.ts";

/** Counted by name, in a line of names and one of numbers: no way out, and nobody at a port (name servers). */
const COUNTED: readonly (readonly [protocol: string, name: string])[] = [
  ["Ip", "OutNoRoutes"],
  ["Udp", "NoPorts"],
];

/** For a sandbox whose network is a namespace of its own. */
export function networkWatch(): NonNullable<ProcessWrapper["missedNetwork"]> {
  const before = new Map<number, number>();
  return (pid) => {
    const now = missedSoFar(pid);
    // A network begins with nothing missed.
    const earlier = before.get(pid) ?? 0;
    if (now === undefined) return "unknown";
    before.set(pid, now);
    return now > earlier ? "yes" : "no";
  };
}

function missedSoFar(pid: number): number | undefined {
  const text = readIfThere(`/proc/${pid}/net/snmp`);
  if (text === undefined) return undefined;
  const six = /^Ip6OutNoRoutes\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/net/snmp6`) ?? "");
  return COUNTED.reduce((sum, counted) => sum + valueOf(text, counted), Number(six?.[1] ?? 0));
}

function valueOf(text: string, [protocol, name]: (typeof COUNTED)[number]): number {
  const [names, values] = text.split("\n").filter((line) => line.startsWith(`${protocol}: `));
  const at = names?.split(" ").indexOf(name) ?? -1;
  return at < 0 ? 0 : Number(values?.split(" ")[at] ?? 0);
}
