// The family's events around a request: handlers see the body as the vendor gets it and may replace it, and are
// told what the server answers with. What they put into a body is looked through for secrets like everything
// that leaves.

import { SLOW_HOOK_MS } from "@tau/agent/hook-calls";
import type { Answer, Told } from "@tau/agent/hook-points";
import { beginRunning } from "../running-now.ts";
import type { EventPlace } from "./event-place.ts";

type Body = Record<string, unknown>;

export const PROVIDER_EVENTS = ["before_provider_request", "after_provider_response"] as const;

/** Those of extensions before this one have their turn first. */
export function aroundRequest(
  place: EventPlace,
  { request: { onPayload, onResponse } }: Told<"request">,
): Answer<"request"> {
  return {
    onPayload: async (body) => changed(place, (await onPayload?.(body)) ?? body),
    async onResponse(response) {
      await onResponse?.(response);
      const { status } = response;
      const headers = Object.fromEntries(response.headers);
      await each(place, { type: "after_provider_response", status, headers });
    },
  };
}

async function changed(place: EventPlace, body: Body): Promise<Body> {
  let payload: unknown = structuredClone(body);
  for (const handler of place.registrations.of("before_provider_request")) {
    const event = { type: "before_provider_request", payload };
    // There an answer is the payload itself; whoever changes what it was given has changed it, too.
    const answer: unknown = await timely(place, event.type, place.attempt(handler, event));
    payload = answer ?? event.payload;
  }
  const isBody = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  if (!isBody || Bun.deepEquals(payload, body)) return body;
  return place.host.hide(payload as Body);
}

async function each(place: EventPlace, event: Body & { type: string }): Promise<void> {
  for (const handler of place.registrations.of(event.type)) {
    await timely(place, event.type, place.attempt(handler, event));
  }
}

/** Tells who keeps everybody waiting, as at every hook. */
async function timely<T>(
  { host, extension: behaviour }: EventPlace,
  hook: string,
  work: Promise<T>,
): Promise<T> {
  let waitedMs = 0;
  const timer = setInterval(() => {
    waitedMs += SLOW_HOOK_MS;
    host.notify({ type: "hook_slow", behaviour, hook, waitedMs });
  }, SLOW_HOOK_MS);
  const done = beginRunning({ extension: behaviour, hook });
  try {
    return await work;
  } finally {
    done();
    clearInterval(timer);
  }
}
