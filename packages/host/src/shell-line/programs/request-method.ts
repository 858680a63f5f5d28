// A request that asks another machine to delete: by its method, by a header or a field that stands for
// one, by its method and its address, or by a statement that it carries.

import type { CommandCall } from "../command-call.ts";
import type { Field } from "../field.ts";
import { isOwnMachine } from "../own-machine.ts";
import { losesRows } from "./read-statements.ts";

const LOSING =
  /[/_](?:delete|purge|drop|destroy|flush|reset|wipe|truncate|remove|terminate|shutdown|cleanup)(?:[/_?-]|$)/i;
const ONLY_READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** `X-HTTP-Method-Override: DELETE`, `_method=delete` */
const OVERRIDE =
  /\bx-(?:http-)?method(?:-override)?\s*:\s*"?(?:delete|purge)\b|\b_?method"?\s*[=:]\s*"?(?:delete|purge)\b/i;
const GRAPH = /\bmutation\b[^]*\b(?:delete|remove|destroy|purge|drop|wipe|reset)\w*/i;
/** Where databases and queues listen: what is deleted there is data, on this machine as well. */
const DATABASE_PORT =
  /:(?:9200|9201|8086|5984|8123|2379|8500|6333|7700|8108|7474|15672|8983|8529|8091|9090|4001|8200|8080\/v1\/graphql)(?:[/?]|$)/;

const EVERYTHING = /\/(?:_all|\*|%2a|\?recurse|_search|v1\/kv\/?\?recurse)/i;

/** `curl -X DELETE https://…`, `curl -X POST https://…/_delete_by_query` */
export function noteMethod(
  { effects }: CommandCall,
  method: string | undefined,
  addresses: readonly Field[],
  told: readonly Field[] = [],
): void {
  const isStore = addresses.some(({ prefix }) => DATABASE_PORT.test(prefix));
  const isOwn = addresses.length > 0 && addresses.every(({ prefix }) => isOwnMachine(prefix));
  if (isOwn && !isStore) return;
  const texts = told.map(({ text, prefix }) => text ?? prefix);
  const isOverridden = texts.some((text) => OVERRIDE.test(text) || GRAPH.test(text));
  const isStatement = [...texts, ...addresses.map(({ prefix }) => readable(prefix))].some(
    losesRows,
  );
  const isChanging = method !== undefined && !ONLY_READING.has(method);
  const isWide = addresses.some(({ prefix }) => EVERYTHING.test(prefix));
  const isDeleting =
    // One index on this machine is a test's.
    ((method === "DELETE" || method === "PURGE") && (!isOwn || isWide)) ||
    (isChanging && addresses.some(({ prefix }) => LOSING.test(prefix)));
  if (!isDeleting && !isOverridden && !isStatement) return;
  effects.critical.push(isOwn ? "deletes what is in a database" : "deletes on another machine");
}

/** The words of a question in an address. */
function readable(address: string): string {
  const query = /\?(.*)$/s.exec(address)?.[1] ?? "";
  return query.replace(/\+|%20/g, " ");
}
