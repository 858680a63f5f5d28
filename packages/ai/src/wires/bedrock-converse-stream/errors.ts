// Bedrock's exceptions, both ways: a name and a message, in a reply's head or in a stream.

import { kindOfStatus, modelFailure, type ModelErrorKind, type ModelFailure } from "../../error.ts";
import { kindOfText } from "../failure-texts.ts";
import { asString, parseObject, type Json } from "../json.ts";
import { failureOfBody, statusOf } from "../vendor-error.ts";

const TYPE_HEADER = "x-amzn-errortype";
const REQUEST_ID_HEADER = "x-amzn-requestid";

/** By the name in lower case: a stream spells them with a small first letter. */
const KIND_OF_NAME: Record<string, ModelErrorKind> = {
  accessdeniedexception: "auth",
  unrecognizedclientexception: "auth",
  expiredtokenexception: "auth",
  expiredtoken: "auth",
  invalidclienttokenid: "auth",
  invalidsignatureexception: "auth",
  incompletesignature: "auth",
  missingauthenticationtokenexception: "auth",
  throttlingexception: "rate_limit",
  servicequotaexceededexception: "rate_limit",
  toomanyrequestsexception: "rate_limit",
  modelnotreadyexception: "overloaded",
  serviceunavailableexception: "overloaded",
  internalserverexception: "overloaded",
  modelerrorexception: "overloaded",
  modelstreamerrorexception: "overloaded",
  modeltimeoutexception: "timeout",
  validationexception: "invalid_request",
  resourcenotfoundexception: "not_found",
};

const NAME_OF_KIND: Record<ModelErrorKind, string> = {
  auth: "AccessDeniedException",
  rate_limit: "ThrottlingException",
  credit: "ServiceQuotaExceededException",
  overloaded: "ServiceUnavailableException",
  context_overflow: "ValidationException",
  invalid_request: "ValidationException",
  not_found: "ResourceNotFoundException",
  content_filter: "ValidationException",
  network: "ModelStreamErrorException",
  timeout: "ModelTimeoutException",
  aborted: "InternalServerException",
  budget: "ServiceQuotaExceededException",
  protocol: "ModelStreamErrorException",
};

/** The vendor has no code for a conversation that outgrew the window, only this text. */
const OVERFLOW_TEXT = "Input is too long for requested model";

export function failureOfException(
  name: string,
  message: string | undefined,
  status?: number,
): ModelFailure {
  const known = KIND_OF_NAME[name.toLowerCase()];
  const kind = known ?? (status === undefined ? "protocol" : kindOfStatus(status));
  const text = message ?? (name || "Bedrock reported a failure without a reason.");
  const isOpen = kind === "invalid_request" || kind === "overloaded";
  const said = isOpen ? kindOfText(text) : undefined;
  return modelFailure(said ?? kind, text, { status, code: name || undefined });
}

export function decodeError(status: number, headers: Headers, body: string): ModelFailure {
  const json = parseObject(body);
  // Both places may hold more than the name: `Name:http://…`, `com.amazon…#Name`.
  const type = headers.get(TYPE_HEADER) ?? asString(json?.__type) ?? "";
  const name = type.split(":")[0]!.split("#").at(-1)!;
  const message = asString(json?.message) ?? asString(json?.Message);
  const failure =
    name === "" ? failureOfBody(status, body) : failureOfException(name, message, status);
  const requestId = headers.get(REQUEST_ID_HEADER);
  return requestId === null ? failure : { ...failure, requestId };
}

export function encodeException(failure: ModelFailure): { name: string; body: Json } {
  const { kind, message } = failure;
  const overflow = kind === "context_overflow" && kindOfText(message) !== kind;
  return {
    name: NAME_OF_KIND[kind],
    body: { message: overflow ? `${OVERFLOW_TEXT}: ${message}` : message },
  };
}

export function encodeError(failure: ModelFailure): {
  status: number;
  headers: Record<string, string>;
  body: unknown;
} {
  const { name, body } = encodeException(failure);
  const headers: Record<string, string> = { [TYPE_HEADER]: name };
  if (failure.requestId !== undefined) headers[REQUEST_ID_HEADER] = failure.requestId;
  if (failure.retryAfterMs !== undefined) {
    headers["retry-after"] = String(Math.ceil(failure.retryAfterMs / 1000));
  }
  return { status: statusOf(failure), headers, body };
}
