// A vendor as the OAuth library sees it. The library writes the standard's requests and checks
// the replies; every request goes through ours, which is bounded, and what the library refuses
// becomes our typed failure, told from the vendor's own reply.

import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  None,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  type TokenEndpointRequestOptions,
} from "oauth4webapi";
import type { Json } from "../wires/json.ts";
import type { OAuthContext } from "./oauth.ts";
import { standardReply, straightToken, type Straighten } from "./standard-reply.ts";
import { failureOf, requestVendor, type VendorReply } from "./vendor-request.ts";

export interface TokenEndpoint {
  url: string;
  /** How it wants its parameters; a form, as the standard says, where this is left out. */
  encoding?: "form" | "json";
  headers?: Readonly<Record<string, string>>;
}

export interface StandardClient extends TokenEndpoint {
  clientId: string;
  clientSecret?: string;
  /** Of the device flow. */
  deviceUrl?: string;
}

/** What the library's functions are called with, in their order. */
export type StandardCall = readonly [
  server: AuthorizationServer,
  client: Client,
  authentication: ClientAuth,
  options: TokenEndpointRequestOptions,
];

const SECRET_PARAMETERS = [
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
  "device_code",
] as const;

/** The vendor's reply to one request, as the library read it. Throws `OAuthError`. */
export async function callVendor<Reply extends object>(
  vendor: StandardClient,
  call: (...call: StandardCall) => Promise<Reply>,
  context: OAuthContext,
  {
    failure = "the vendor returned no token",
    straighten = straightToken,
  }: { failure?: string; straighten?: Straighten } = {},
): Promise<Reply & Json> {
  let reply: VendorReply | undefined;
  let secrets: string[] = [];
  const send = async (url: string, { body }: { body: URLSearchParams }): Promise<Response> => {
    secrets = SECRET_PARAMETERS.flatMap((name) => body.getAll(name));
    const parameters = Object.fromEntries(body);
    const { headers } = vendor;
    reply = await requestVendor(
      url,
      vendor.encoding === "json"
        ? { method: "POST", headers, json: parameters }
        : { method: "POST", headers, form: parameters },
      context,
    );
    return standardReply(reply, straighten);
  };
  try {
    const read = await call(
      {
        issuer: new URL(vendor.url).origin,
        token_endpoint: vendor.url,
        device_authorization_endpoint: vendor.deviceUrl,
      },
      { client_id: vendor.clientId },
      vendor.clientSecret === undefined ? None() : ClientSecretPost(vendor.clientSecret),
      // The addresses are rows of ours, or named by the user.
      { [customFetch]: send, [allowInsecureRequests]: true },
    );
    // It was kept from the library: see `straightToken`.
    return { ...read, id_token: reply?.body?.id_token };
  } catch (error) {
    if (reply && isRefusal(error)) throw failureOf(failure, reply, secrets);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ResponseBodyError ||
    error instanceof OperationProcessingError ||
    error instanceof UnsupportedOperationError
  );
}
