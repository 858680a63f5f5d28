// Neutral request → body. History is not repaired here: whoever speaks to the vendor does
// that, for the vendor he speaks to.

import { wireNameOf, type Model } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { PATH, PROTOCOL_VERSION } from "./protocol.ts";

export function encodeRequest({ model, ...rest }: ModelRequest): EncodedRequest {
  const body = { version: PROTOCOL_VERSION, model: wireNameOf(model), ...rest };
  return { path: pathFor(model), headers: {}, body };
}

/** Base URLs are given with and without the version of the API. */
function pathFor(model: Model): string {
  return /\/v1\/*$/.test(model.baseUrl) ? PATH.slice("/v1".length) : PATH;
}
