// JSON inside of protobuf: the well-known message `google.protobuf.Value`, both ways. Arguments of
// calls and the parameters of tools travel in it.

import { decode, encode, field, list, rawFields } from "./protobuf.ts";

/** Deeper than any arguments a model writes; what is nested without end must not fill the stack. */
const MAX_DEPTH = 200;

const NULL = { it: field(1, "int") };
const NUMBER = { it: field(2, "double") };
const TEXT = { it: field(3, "text") };
const BOOL = { it: field(4, "bool") };
const STRUCT = { it: field(5, "bytes") };
const LIST = { it: field(6, "bytes") };

const ENTRIES = { entries: list(1, { key: field(1, "text"), value: field(2, "bytes") }) };
const ITEMS = { items: list(1, "bytes") };

export function encodeJson(value: unknown): Uint8Array {
  if (typeof value === "string") return encode(TEXT, { it: value });
  if (typeof value === "number") return encode(NUMBER, { it: value });
  if (typeof value === "boolean") return encode(BOOL, { it: value });
  if (Array.isArray(value)) {
    return encode(LIST, { it: encode(ITEMS, { items: value.map(encodeJson) }) });
  }
  if (typeof value !== "object" || value === null) return encode(NULL, { it: 0 });
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([key, one]) => ({ key, value: encodeJson(one) }));
  return encode(STRUCT, { it: encode(ENTRIES, { entries }) });
}

export function decodeJson(bytes: Uint8Array, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new SyntaxError("a value is nested too deep");
  let value: unknown = null;
  for (const { no, given } of rawFields(bytes)) {
    if (no === 2) value = decode(NUMBER, bytes).it;
    else if (no === 3) value = decode(TEXT, bytes).it;
    else if (no === 4) value = decode(BOOL, bytes).it;
    else if (no === 5) value = decodeStruct(asBytes(given), depth);
    else if (no === 6) value = decodeList(asBytes(given), depth);
  }
  return value;
}

function decodeStruct(bytes: Uint8Array, depth: number): Record<string, unknown> {
  const entries = decode(ENTRIES, bytes).entries ?? [];
  return Object.fromEntries(
    entries.map(({ key = "", value }) => [key, value ? decodeJson(value, depth + 1) : null]),
  );
}

function decodeList(bytes: Uint8Array, depth: number): unknown[] {
  return (decode(ITEMS, bytes).items ?? []).map((item) => decodeJson(item, depth + 1));
}

function asBytes(given: number | Uint8Array): Uint8Array {
  if (typeof given === "number") throw new SyntaxError("a number stands in place of a value");
  return given;
}
