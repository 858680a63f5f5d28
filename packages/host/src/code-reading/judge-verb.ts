// Requests that delete: the verb may stand in any of the places where libraries take it, first, by
// name, or in a record of options; on this machine it loses nothing that is not one's own.

import { isOwnMachine } from "../shell-line/own-machine.ts";
import type { CodeReader } from "./code-reader.ts";
import { exactly, optionsOf, partsOf, type Args, type Value } from "./code-value.ts";

const DELETING = /^(?:DELETE|PURGE)$/i;
/** A connection to this machine. */
export const OWN_CONNECTION = "own connection";

/** `receiver`: what the request is sent through. */
export function noteVerb(reader: CodeReader, given: Args, receiver?: Value): void {
  const records = [...given.positional, ...given.named.values()].filter(
    (each) => each.kind === "record",
  );
  const options = records.flatMap(({ entries }) => entries.get("method") ?? []);
  const verbs = [given.positional[0], given.named.get("method"), ...options];
  const isDeleting = verbs.some((each) =>
    optionsOf(each ?? NOTHING).some((one) => DELETING.test(exactly(one) ?? "")),
  );
  if (!isDeleting || (receiver?.kind === "made" && receiver.by === OWN_CONNECTION)) return;
  const addresses = [...given.positional, ...given.named.values(), ...records.flatMap(addressesIn)];
  if (addresses.some(isOwn)) return;
  reader.acts.network();
  reader.acts.critical("deletes something that may not come back");
}

const NOTHING: Value = { kind: "unknown", source: "data" };

function addressesIn({ entries }: Extract<Value, { kind: "record" }>): Value[] {
  return ["url", "host", "hostname", "baseURL"].flatMap((name) => entries.get(name) ?? []);
}

function isOwn(value: Value): boolean {
  if (value.kind !== "text") return false;
  const [begin] = partsOf(value);
  return typeof begin === "string" && !DELETING.test(begin) && isOwnMachine(begin);
}
