// Asks the service which models the account may use: one message there, one back.

import { connect, constants } from "node:http2";
import { retryAfterMs } from "../../asked-wait.ts";
import { ModelError, modelFailure } from "../../error.ts";
import { networkReason } from "../../network-reason.ts";
import { MODELS_PATH } from "./agent-body.ts";
import { decodeError } from "./errors.ts";
import { MODEL_LIST } from "./messages.ts";
import { decode, type Value } from "./protobuf.ts";

/** A list of some hundred models is about 30 KB. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

export type ListedModel = NonNullable<Value<typeof MODEL_LIST>["models"]>[number];

/** Rejects with a `ModelError`, or with the abort. */
export async function listModels(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { status, given, body } = await ask(baseUrl, headers, signal);
  if (status !== 200) {
    const failure = decodeError(status, given, new TextDecoder().decode(body));
    throw new ModelError({ ...failure, retryAfterMs: retryAfterMs(given) });
  }
  try {
    return decode(MODEL_LIST, body).models ?? [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `${hostOf(baseUrl)} sent a list of models that cannot be read.`;
    throw new ModelError(modelFailure("protocol", message), { cause: error });
  }
}

interface Answer {
  status: number;
  given: Headers;
  body: Uint8Array;
}

function ask(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const { origin, pathname } = new URL(baseUrl);
  const session = connect(origin);
  const stream = session.request({
    ":method": "POST",
    ":path": pathname.replace(/\/+$/, "") + MODELS_PATH,
    "content-type": "application/proto",
    "connect-protocol-version": "1",
    ...headers,
  });
  const leave = (): void => {
    if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
    session.destroy();
  };
  const asked = new Promise<Answer>((resolve, reject) => {
    const answer: Answer = { status: 0, given: new Headers(), body: new Uint8Array() };
    const parts: Buffer[] = [];
    let bytes = 0;
    const fail = (error: Error): void => {
      const message = `Cannot reach ${hostOf(baseUrl)}: ${networkReason(error)}`;
      reject(new ModelError(modelFailure("network", message), { cause: error }));
    };
    session.on("error", fail);
    stream.on("error", fail);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    stream.on("response", (told) => {
      answer.status = Number(told[":status"]);
      for (const [name, value] of Object.entries(told)) {
        if (!name.startsWith(":")) answer.given.set(name, String(value));
      }
    });
    stream.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes <= MAX_BODY_BYTES) parts.push(part);
      else
        reject(
          new ModelError(
            modelFailure("protocol", `${hostOf(baseUrl)} answered with more than 8 MB.`),
          ),
        );
    });
    stream.on("end", () => {
      if (answer.status === 0) fail(new Error("the connection was cut"));
      else resolve({ ...answer, body: new Uint8Array(Buffer.concat(parts)) });
    });
    stream.end();
  });
  return asked.finally(leave);
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
