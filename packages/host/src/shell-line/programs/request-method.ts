// A request that asks another machine to delete: by its method, or by its method and its address.

import type { CommandCall } from "../command-call.ts";
import type { Field } from "../field.ts";
import { isOwnMachine } from "../own-machine.ts";

const LOSING = /[/_](?:delete|purge|drop|destroy|flush|reset)(?:[/_?]|$)/i;
const ONLY_READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** `curl -X DELETE https://…`, `curl -X POST https://…/_delete_by_query` */
export function noteMethod(
  { effects }: CommandCall,
  method: string | undefined,
  addresses: readonly Field[],
): void {
  if (method === undefined || ONLY_READING.has(method)) return;
  const isDeleting = method === "DELETE" || method === "PURGE";
  if (!isDeleting && !addresses.some(({ prefix }) => LOSING.test(prefix))) return;
  if (addresses.length > 0 && addresses.every(({ prefix }) => isOwnMachine(prefix))) return;
  effects.critical.push("deletes on another machine");
}
