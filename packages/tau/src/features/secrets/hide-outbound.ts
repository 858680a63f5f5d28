// The last look at a request before it leaves: whatever way a text took to get there, no known
// secret is in it. What a vendor signed cannot be changed and is left as it is; it was made from
// what had been hidden before.

import type { Message } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { SecretVault } from "./secret-vault.ts";

export function hideOutbound<R extends Pick<ModelRequest, "system" | "messages">>(
  request: R,
  vault: SecretVault,
): R {
  const system = vault.hideIn(request.system);
  const messages = request.messages.map((message) => hideMessage(message, vault));
  const isSame = messages.every((message, at) => message === request.messages[at]);
  if (system === request.system && isSame) return request;
  return { ...request, system, messages };
}

function hideMessage(message: Message, vault: SecretVault): Message {
  const content = message.content as readonly { type: string }[];
  const hidden = content.map((block) =>
    block.type === "text" || block.type === "toolCall" ? vault.hideIn(block) : block,
  );
  return hidden.every((block, at) => block === content[at])
    ? message
    : ({ ...message, content: hidden } as Message);
}
