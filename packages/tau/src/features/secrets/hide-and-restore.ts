// Keeps secrets out of what a model is sent and out of what is written down: hidden where text comes in
// (the user's words, what tools give; the line to the model does it for what the model says), put back
// where a tool is about to run.

import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import { redactBlock, redactMessage } from "../../base/redactor.ts";
import type { SecretVault } from "./secret-vault.ts";

export function hideAndRestore(vault: SecretVault): HookHandlers {
  return {
    input: ({ message }) => {
      const hidden = redactMessage(message, vault);
      return hidden === message ? undefined : { type: "transform", message: hidden };
    },
    tool_call: {
      // After extensions: only what judges the call, and the tool, get to see what it holds.
      order: EXTENSION_ORDER + 100,
      handle: ({ arguments: given }) => {
        const real = vault.restoreIn(given);
        return real === given ? undefined : { type: "rewrite", arguments: real };
      },
    },
    tool_result: ({ result, details }) => {
      const content = result.content.map((block) => redactBlock(block, vault));
      const hidden = vault.hideIn(details);
      const isSame = content.every((block, at) => block === result.content[at]);
      if (isSame && hidden === details) return undefined;
      return { content, details: hidden };
    },
  };
}
