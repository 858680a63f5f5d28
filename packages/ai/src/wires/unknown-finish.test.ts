// Vendors, and servers that imitate them, add reasons for the end of a reply. On no wire does a
// word that nobody knows make complete calls worthless.

import { expect, test } from "bun:test";
import { ReplyAssembler } from "../reply-assembler.ts";
import { loadWireClient, type HttpWireId } from "../wire.ts";

const UNKNOWN = "SOMETHING_NEW";
const ARGUMENTS = { path: "a" };
const TEXT = JSON.stringify(ARGUMENTS);

/** Whole replies with one call each. */
const REPLIES: Partial<Record<HttpWireId, unknown>> = {
  "openai-completions": {
    choices: [
      {
        finish_reason: UNKNOWN,
        message: { tool_calls: [{ id: "c", function: { name: "read", arguments: TEXT } }] },
      },
    ],
  },
  "anthropic-messages": {
    stop_reason: UNKNOWN,
    content: [{ type: "tool_use", id: "c", name: "read", input: ARGUMENTS }],
  },
  "google-generative-ai": {
    candidates: [
      {
        finishReason: UNKNOWN,
        content: { parts: [{ functionCall: { name: "read", args: ARGUMENTS } }] },
      },
    ],
  },
  "bedrock-converse-stream": {
    stopReason: UNKNOWN,
    output: {
      message: { content: [{ toolUse: { toolUseId: "c", name: "read", input: ARGUMENTS } }] },
    },
  },
  "ollama-chat": {
    done: true,
    done_reason: UNKNOWN,
    message: { tool_calls: [{ function: { name: "read", arguments: ARGUMENTS } }] },
  },
};

for (const [wire, body] of Object.entries(REPLIES) as [HttpWireId, unknown][]) {
  test(`${wire}: complete calls count`, async () => {
    const { decodeReply } = await loadWireClient(wire);
    const out = new ReplyAssembler({ provider: "p", model: "m", wire }, () => undefined);
    decodeReply(body, out);
    expect(out.message).toMatchObject({
      stopReason: "toolUse",
      content: [{ type: "toolCall", name: "read", arguments: ARGUMENTS }],
    });
  });
}
