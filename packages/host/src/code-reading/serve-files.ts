// Servers that give files to whoever asks: what is served to other machines leaves.

import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import { exactly, optionsOf, text, type Args, type Value } from "./code-value.ts";
import { memberOfClass } from "./instance-member.ts";

const OWN_HOST = /^(?:localhost$|127\.|::1$)/;
const FILE_HANDLER = /\.(?:SimpleHTTP|CGIHTTP|)RequestHandler$/;
const HERE = text(".");

/** `HTTPServer(("", 8000), SimpleHTTPRequestHandler)`; without an address it is every one. */
export const serves: Handler = (reader, given) => {
  const address = given.positional.find(({ kind }) => kind === "list");
  const host = given.named.get("bind") ?? (address?.kind === "list" ? address.items[0] : undefined);
  const { reads, deepReads } = reader.acts.effects;
  const before = reads.length + deepReads.length;
  reader.handedOn(given);
  const isOwn = OWN_HOST.test(exactly(host) ?? "");
  // What it reads to answer with leaves.
  if (!isOwn && reads.length + deepReads.length > before) reader.acts.network();
  const served = isOwn ? undefined : directoryServed(reader, given);
  if (served) {
    reader.acts.network();
    reader.acts.readBelow(served);
  }
  return { kind: "made", by: "http.server.HTTPServer" };
};

function directoryServed(reader: CodeReader, { positional, named }: Args): Value | undefined {
  for (const each of [...positional, ...named.values()].flatMap(optionsOf)) {
    if (isFileHandler(each)) return HERE;
    // `partial(SimpleHTTPRequestHandler, directory=x)`
    const inner = each.kind === "made" && each.by === "bound" ? each.target : undefined;
    if (inner?.kind === "list" && isFileHandler(inner.items[0]))
      return (each.kind === "made" && each.named?.get("directory")) || HERE;
    if (each.kind !== "class" || !each.bases.some(isFileHandler)) continue;
    if (memberOfClass(each, "__init__") ?? memberOfClass(each, "translate_path"))
      reader.acts.unknown("it serves files from where only it knows");
    return HERE;
  }
  return undefined;
}

function isFileHandler(value: Value | undefined): boolean {
  return value?.kind === "known" && FILE_HANDLER.test(value.name);
}
