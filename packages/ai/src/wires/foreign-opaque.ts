// Opaque bytes on their way through a client that speaks another wire. A gateway hands a
// reply of one vendor to a client of another; wrapped as that wire's signature, the bytes
// come back with the next request and reach their origin again. Base64 throughout,
// because some clients decode what they take for a signature.

import type { Opaque } from "../message.ts";
import type { WireId } from "../wire.ts";
import { asString, parseObject } from "./json.ts";

/** Twelve characters, so that what follows starts on a base64 boundary. */
const ENVELOPE = btoa("tau-opaque::");

/** The signature that carries `opaque` on `wire`: its own bytes, or a wrapped foreigner. */
export function signatureOf(opaque: Opaque | undefined, wire: WireId): string | undefined {
  if (opaque === undefined || opaque.wire === wire) return opaque?.data;
  return ENVELOPE + new TextEncoder().encode(JSON.stringify(opaque)).toBase64();
}

/** What a client sent back: the foreigner that was wrapped, or bytes of `origin` itself. */
export function opaqueOf(signature: string, origin: { wire: WireId; model: string }): Opaque {
  return unwrap(signature) ?? { wire: origin.wire, model: origin.model, data: signature };
}

function unwrap(signature: string): Opaque | undefined {
  if (!signature.startsWith(ENVELOPE)) return undefined;
  let json: string;
  try {
    json = new TextDecoder().decode(Uint8Array.fromBase64(signature.slice(ENVELOPE.length)));
  } catch (error) {
    // Somebody else's bytes that happen to begin like ours.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const opaque = parseObject(json);
  const wire = asString(opaque?.wire) as WireId | undefined;
  const model = asString(opaque?.model);
  const data = asString(opaque?.data);
  if (wire === undefined || model === undefined || data === undefined) return undefined;
  return { wire, model, data };
}
