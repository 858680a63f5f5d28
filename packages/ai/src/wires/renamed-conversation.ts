// Random conversations for the wires that are another one under a different name: those of
// the other, with the two names exchanged everywhere.

import type fc from "fast-check";
import type { AssistantMessage } from "../message.ts";
import type { ReplyOrigin } from "../reply-assembler.ts";
import type { ModelRequest } from "../request.ts";
import type { AssistantOptions } from "./arbitrary-block.ts";
import { ORIGINS } from "./arbitrary-block.ts";
import { arbitraryAssistantMessage, arbitraryRequest } from "./arbitrary-conversation.ts";
import { renameReply, renameRequest, type WireNames } from "./renamed-server.ts";

/** One of the base's models, as the renamed wire would have it. */
export function renamedOrigin({ base, own }: WireNames): ReplyOrigin {
  return { ...ORIGINS.find(({ wire }) => wire === base)!, wire: own };
}

export function renamedRequests(
  names: WireNames,
  options?: AssistantOptions,
): fc.Arbitrary<ModelRequest> {
  return arbitraryRequest(names.base, options).map((request) => ({
    ...renameRequest(request, names),
    model: { ...request.model, wire: names.own },
  }));
}

export function renamedReplies(
  names: WireNames,
  options: AssistantOptions = {},
): fc.Arbitrary<AssistantMessage> {
  const origin = { ...renamedOrigin(names), wire: names.base };
  const replies = arbitraryAssistantMessage({ origin, complete: true, ...options });
  return replies.map((reply) => renameReply(reply, names));
}
