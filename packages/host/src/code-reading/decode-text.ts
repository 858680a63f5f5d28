// Texts that are written in another way, as far as that can be undone.

import { exactly, pieced, sourceOf, type Value } from "./code-value.ts";

const DECODERS: Readonly<Record<string, (value: string) => string>> = {
  base64: (value) => Buffer.from(value, "base64").toString("utf8"),
  base64url: (value) => Buffer.from(value, "base64url").toString("utf8"),
  hex: (value) => Buffer.from(value.replace(/\s/g, ""), "hex").toString("utf8"),
  rot13: (value) => value.replace(/[a-z]/gi, rotated),
  rot_13: (value) => value.replace(/[a-z]/gi, rotated),
  percent: (value) => percent(value),
  utf8: (value) => value,
  "utf-8": (value) => value,
  ascii: (value) => value,
  latin1: (value) => value,
  binary: (value) => value,
};

function rotated(letter: string): string {
  const start = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - start + 13) % 26) + start);
}

function percent(value: string): string {
  return value.replace(/%([\da-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

export function decoded(encoding: string, value: Value): Value {
  const exact = exactly(value);
  const decode = DECODERS[encoding.toLowerCase()];
  if (exact === undefined || !decode)
    return { kind: "unknown", source: exact === undefined ? sourceOf(value) : "hidden" };
  return pieced(decode(exact));
}
