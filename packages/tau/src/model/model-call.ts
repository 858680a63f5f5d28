// One call to a model as Tau makes it: who it says it is, where it finds files and keys,
// and what is special about some models (a text dialect, leaking syntax).

import { callModel, type CallOptions } from "@tau/ai/call";
import { deferredReply } from "@tau/ai/deferred-reply";
import type { DialectId } from "@tau/ai/dialects/dialect";
import { ModelError, modelFailure } from "@tau/ai/error";
import type { Model } from "@tau/ai/model";
import type { KeptConnections } from "@tau/ai/kept-connections";
import { loadWireClient } from "@tau/ai/wire";
import { COMMAND, VERSION } from "../brand.ts";
import { cursorTrace } from "./cursor-trace.ts";
import type { ModelAccess } from "./model-access.ts";
import type { TargetCaller } from "./model-target.ts";
import { failedReply } from "./unasked-reply.ts";

/** The family that is known to leak, on the wires where its calls are structured. */
const LEAKY = /(?:^|\/)gpt-5/;

export function createModelCall(
  access: ModelAccess,
  first: Model,
  connections: KeptConnections,
): TargetCaller {
  // Loaded while the session is being opened; a call that needs it finds it there.
  if (first.wire !== "in-process") void loadWireClient(first.wire);
  const trace = cursorTrace(access.env);
  const headers = { "user-agent": `${COMMAND}/${VERSION}` };
  const call: TargetCaller = (request, { signal, credential }) => {
    const { model } = request;
    const found = async () => {
      const known = await credential();
      if (!known && !needsNoKey(access, model)) {
        const why = await access.whyNoKey(model.provider);
        const message = why
          ? `The apiKey of ${model.provider} ${access.configuredIn(model.provider)} has no value: ${why}.`
          : `There is no working credential for ${model.provider}.`;
        throw new ModelError(modelFailure("auth", message));
      }
      return known;
    };
    const own = access.registry.config.clients.get(model.provider);
    if (own) return own(request, { signal, credential: found });
    const stop = new AbortController();
    const options: CallOptions = {
      signal: AbortSignal.any([signal, stop.signal]),
      headers,
      env: access.env,
      connections,
      trace,
      readFile: (path) => Bun.file(path).text(),
      credential: found,
    };
    const dialect = dialectOf(model);
    if (dialect) {
      return deferredReply(async () => {
        const { callInDialect } = await import("@tau/ai/dialects/call-in-dialect");
        return callInDialect(request, dialect, options);
      });
    }
    const reply = callModel(request, options);
    if (!LEAKY.test(model.id)) return reply;
    return deferredReply(async () => {
      const { rejectLeaks } = await import("@tau/ai/dialects/reject-leak");
      return rejectLeaks(reply, () => stop.abort());
    });
  };
  return (request, options) => {
    const { model } = request;
    if (!hasSecretHeaders(model)) return call(request, options);
    return deferredReply(async () => {
      try {
        const known = { ...model, headers: await resolvedHeaders(access, model) };
        return call({ ...request, model: known }, options);
      } catch (error) {
        return failedReply(model, error);
      }
    });
  };
}

/** `X-Key: env:NAME`, `X-Key: cmd:pass show key`: as for keys, the value is nowhere in a file. */
const SECRET_HEADER = /^(?:env|cmd):/;

function hasSecretHeaders({ headers = {} }: Model): boolean {
  return Object.values(headers).some((value) => SECRET_HEADER.test(value ?? ""));
}

async function resolvedHeaders(
  access: ModelAccess,
  { provider, headers = {} }: Model,
): Promise<Model["headers"]> {
  const resolved: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== "string" || !SECRET_HEADER.test(value)) {
      resolved[name] = value;
      continue;
    }
    const secret = await access.secret(value);
    // Sending the name of the secret instead of it is never what was meant.
    if (secret === undefined) {
      const what = value.startsWith("env:")
        ? `the variable ${value.slice(4)} is not set`
        : "its command gave nothing";
      throw new ModelError(
        modelFailure("auth", `The header ${name} of ${provider} has no value: ${what}.`),
      );
    }
    resolved[name] = secret;
  }
  return resolved;
}

/** A server without keys, or a wire that finds its credentials on this machine. */
function needsNoKey(access: ModelAccess, { provider, auth }: Model): boolean {
  if (auth === "none" || access.registry.row(provider)?.keyless === true) return true;
  return access.findsOwnCredentials(provider);
}

export function dialectOf({ quirks }: Model): DialectId | undefined {
  return quirks?.dialect as DialectId | undefined;
}
