// The parts random conversations are made of: texts, images, arguments, opaque bytes and
// the blocks of a reply. Kept apart from the conversations so that either stays readable.

import fc from "fast-check";
import type {
  AssistantBlock,
  ImageBlock,
  Opaque,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../message.ts";
import type { ReplyOrigin } from "../reply-assembler.ts";
import type { Usage } from "../usage.ts";

/** Every wire has two models here, so that "same wire, other model" comes up often. */
export const ORIGINS: readonly ReplyOrigin[] = [
  { provider: "anthropic", model: "claude-one", wire: "anthropic-messages" },
  { provider: "anthropic", model: "claude-two", wire: "anthropic-messages" },
  { provider: "google", model: "gemini-one", wire: "google-generative-ai" },
  { provider: "google", model: "gemini-two", wire: "google-generative-ai" },
  { provider: "openai", model: "gpt-one", wire: "openai-responses" },
  { provider: "openai", model: "gpt-two", wire: "openai-responses" },
  { provider: "groq", model: "llama-one", wire: "openai-completions" },
  { provider: "groq", model: "llama-two", wire: "openai-completions" },
];

export const TOOL_NAMES = ["read", "write", "edit", "bash", "search_files", "mcp__db-1"] as const;

/** Few enough to collide; some are what no strict vendor takes. */
export const TOOL_CALL_IDS = [
  "call_1",
  "call_2",
  "toolu_01A",
  "call_abc|fc_0123456789",
  "call.abc",
  "call abc",
  "functions.read:0",
  "ünïcode",
  "",
  `call_${"x".repeat(80)}`,
  `call_${"x".repeat(81)}`,
] as const;

/** Any well-formed text: control characters, astral planes, combining marks, blank or none. */
export function arbitraryText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    { weight: 2, arbitrary: fc.lorem({ maxCount: 5 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", " ", "\n\n", "ends in blanks  \n", "data: x\n\n", "\r\n"),
    },
  );
}

/** Arguments of a tool call: any JSON object, as it is after one trip through JSON. */
export function arbitraryArguments(): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
}

export function arbitraryImage(): fc.Arbitrary<ImageBlock> {
  return fc.record({
    type: fc.constant("image" as const),
    mimeType: fc.constantFrom("image/png", "image/jpeg", "image/gif", "image/webp"),
    data: arbitraryBase64(),
  });
}

export function arbitraryBase64(): fc.Arbitrary<string> {
  return fc
    .uint8Array({ minLength: 1, maxLength: 24 })
    .map((bytes) => Buffer.from(bytes).toString("base64"));
}

/** Opaque bytes say here who made them, so that a validator can tell a foreign signature. */
export function arbitrarySignature(
  origin: Pick<ReplyOrigin, "wire" | "model">,
): fc.Arbitrary<string> {
  return fc.nat().map((salt) => btoa(`${origin.wire} ${origin.model} ${salt}`));
}

export function isSignedBy(
  signature: string,
  origin: Pick<ReplyOrigin, "wire" | "model">,
): boolean {
  return atob(signature).startsWith(`${origin.wire} ${origin.model} `);
}

export function arbitraryUsage(): fc.Arbitrary<Usage> {
  const count = fc.nat(1_000_000);
  return fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count });
}

export function arbitraryTextBlock(): fc.Arbitrary<TextBlock> {
  return arbitraryText().map((text) => ({ type: "text", text }));
}

export function arbitraryContent(): fc.Arbitrary<(TextBlock | ImageBlock)[]> {
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: arbitraryTextBlock() },
      { weight: 1, arbitrary: arbitraryImage() },
    ),
    { maxLength: 3 },
  );
}

export interface AssistantOptions {
  /** Who spoke; any of `ORIGINS` otherwise. */
  origin?: ReplyOrigin;
  /** Who spoke every other time, where `origin` says nothing. */
  likely?: ReplyOrigin;
  /** Only replies that came to their end, with whole tool calls and distinct valid ids. */
  complete?: boolean;
  /** What this wire keeps in `opaque`; `arbitrarySignature` otherwise. */
  opaqueData?: (type: AssistantBlock["type"]) => fc.Arbitrary<string>;
}

export function arbitraryBlock(
  origin: ReplyOrigin,
  options: AssistantOptions,
): fc.Arbitrary<AssistantBlock> {
  // Rarely a block comes from elsewhere than its message: logs merged by hand exist.
  const from = options.complete
    ? fc.constant(origin)
    : fc.oneof({ weight: 9, arbitrary: fc.constant(origin) }, fc.constantFrom(...ORIGINS));
  const opaqueOf = (type: AssistantBlock["type"]): fc.Arbitrary<Opaque> =>
    from.chain(({ wire, model }) =>
      (options.opaqueData?.(type) ?? arbitrarySignature({ wire, model })).map((data) => ({
        wire,
        model,
        data,
      })),
    );
  const maybe = (type: AssistantBlock["type"]): fc.Arbitrary<{ opaque?: Opaque }> =>
    fc.oneof(
      fc.constant({}),
      opaqueOf(type).map((opaque) => ({ opaque })),
    );
  const text = fc
    .tuple(arbitraryText(), maybe("text"))
    .map(([value, extra]): TextBlock => ({ type: "text", text: value, ...extra }));
  const thinking = fc
    .tuple(arbitraryText(), maybe("thinking"))
    .map(([value, extra]): ThinkingBlock => ({ type: "thinking", text: value, ...extra }));
  const redacted = opaqueOf("thinking").map((opaque): ThinkingBlock => ({
    type: "thinking",
    text: "",
    redacted: true,
    opaque,
  }));
  return fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: thinking },
    { weight: 1, arbitrary: redacted },
    { weight: 4, arbitrary: arbitraryToolCall(options, maybe("toolCall")) },
  );
}

function arbitraryToolCall(
  options: AssistantOptions,
  extra: fc.Arbitrary<{ opaque?: Opaque }>,
): fc.Arbitrary<ToolCallBlock> {
  const malformed = options.complete
    ? fc.constant(undefined)
    : fc.option(fc.constantFrom("", '{"path":"a', "[1]", "nonsense"), {
        nil: undefined,
        freq: 6,
      });
  return fc
    .tuple(
      fc.constantFrom(...TOOL_CALL_IDS),
      fc.constantFrom(...TOOL_NAMES),
      arbitraryArguments(),
      malformed,
      extra,
    )
    .map(([id, name, args, broken, opaque]): ToolCallBlock => {
      const call: ToolCallBlock = { type: "toolCall", id, name, arguments: args, ...opaque };
      return broken === undefined ? call : { ...call, arguments: {}, malformed: broken };
    });
}
