// The table of `capabilities.ts`. General rules of a family first, then what newer or
// special members do differently. Where makers publish no limit for the output, the
// numbers are what hosts are known to accept.

import type { ThinkingLevel } from "../model.ts";
import type { CapabilityRule } from "./capabilities.ts";
import type { Modality } from "./unknown-model.ts";

const TEXT: readonly Modality[] = ["text"];
const IMAGE: readonly Modality[] = ["text", "image"];

/** On or off: any level that is asked for becomes this one. */
const SWITCH: readonly ThinkingLevel[] = ["high"];
const LOW_TO_HIGH: readonly ThinkingLevel[] = ["low", "medium", "high"];
const MINIMAL_TO_HIGH: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high"];
const LOW_TO_XHIGH: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh"];
const ALL: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh"];
/** Makers whose dial has three marks: low, high and max. */
const THREE_MARKS: readonly ThinkingLevel[] = ["low", "high", "xhigh"];

/** Tokens. */
const K4 = 4096;
const K8 = 8192;
const K16 = 16_384;
const K32 = 32_768;
const K64 = 65_536;
const K128 = 131_072;

const CLAUDE = /^claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+(?:\.\d+)?)/;
const OPUS = /^claude-opus-(\d+(?:\.\d+)?)/;
const GPT = /^gpt-(\d+(?:\.\d+)?)/;
const GPT_WITH_OFF = /^gpt-(\d+(?:\.\d+)?)(?![^:]*(?:codex|pro|chat))/;
const GEMINI_PRO = /^gemini-(\d+(?:\.\d+)?)-pro/;
const GEMINI_FLASH = /^gemini-(\d+(?:\.\d+)?)-flash/;
const GEMINI = /^gemini-(\d+(?:\.\d+)?)-/;
const KIMI = /^kimi-k(\d+(?:\.\d+)?)/;
const GLM = /^glm-?(\d+(?:\.\d+)?)/;
const QWEN = /^qwen(\d+(?:\.\d+)?)/;
const MIMO = /^mimo-v(\d+(?:\.\d+)?)/;
const GROK = /^grok-(\d+(?:\.\d+)?)/;
const DEEPSEEK = /^deepseek-(?:chat-)?v(\d+(?:\.\d+)?)/;

const LEVELS_AS_WORDS = { google: { thinkingStyle: "level" } };
/** These can be told not to think, with this word. */
const OFF_IS_NONE = {
  responses: { reasoningEffortMap: { off: "none" } },
  completions: { reasoningEffortMap: { off: "none" } },
};
/** OpenAI's refuse a temperature unless they are told not to think. */
const COLD_WHILE_THINKING = {
  responses: { supportsSamplingWhileThinking: false },
  completions: { supportsSamplingWhileThinking: false },
};
/** Turns with calls are only understood together with the thoughts that led to them. */
const KEEPS_THOUGHTS = {
  completions: { whenThinking: { requiresReasoningContentForToolCalls: true } },
};

export const CAPABILITY_RULES: readonly CapabilityRule[] = [
  // Some gateways list a model twice, once for each setting of the switch.
  { match: /:thinking$/, facts: { thinking: SWITCH } },

  // Claude. Thinking began with 3.7 as a budget; since 4.7 it is an effort.
  { match: /^claude/, facts: { input: IMAGE, maxOutput: K8 } },
  { match: /^claude-3-(?:opus|sonnet|haiku)/, facts: { maxOutput: K4 } },
  { match: /^claude-3\.7/, facts: { thinking: ALL, maxOutput: 64_000 } },
  { match: CLAUDE, from: [4, 0], facts: { thinking: ALL, maxOutput: 64_000 } },
  { match: OPUS, from: [4, 0], below: [4, 5], facts: { maxOutput: 32_000 } },
  { match: CLAUDE, from: [4, 6], facts: { quirks: { anthropic: { supportsPrefill: false } } } },
  { match: OPUS, from: [4, 6], facts: { maxOutput: 128_000 } },
  {
    match: CLAUDE,
    from: [4, 7],
    facts: {
      thinking: LOW_TO_XHIGH,
      maxOutput: 128_000,
      quirks: { anthropic: { thinkingStyle: "adaptive", supportsSamplingParams: false } },
    },
  },
  { match: OPUS, from: [5, 0], facts: { quirks: { anthropic: { thinksByDefault: true } } } },
  {
    match: /^claude-(?:opus|sonnet|fable)-latest/,
    facts: {
      thinking: LOW_TO_XHIGH,
      maxOutput: 128_000,
      quirks: {
        anthropic: {
          thinkingStyle: "adaptive",
          supportsSamplingParams: false,
          supportsPrefill: false,
        },
      },
    },
  },
  { match: /^claude-haiku-latest/, facts: { thinking: ALL, maxOutput: 64_000 } },

  // GPT and the o-series.
  { match: /^gpt-3\.5|^gpt-4(?!\.|o)/, facts: { input: TEXT, maxOutput: K4 } },
  { match: /^gpt-4-turbo/, facts: { input: IMAGE } },
  { match: /^(?:chat)?gpt-4o/, facts: { input: IMAGE, maxOutput: K16 } },
  { match: /^gpt-4\.1/, facts: { input: IMAGE, maxOutput: K32 } },
  {
    match: /^o[134](?:-|$)/,
    facts: {
      input: IMAGE,
      thinking: LOW_TO_HIGH,
      maxOutput: 100_000,
      quirks: COLD_WHILE_THINKING,
    },
  },
  { match: /^o3-mini/, facts: { input: TEXT } },
  {
    match: GPT,
    from: [5, 0],
    facts: {
      input: IMAGE,
      thinking: MINIMAL_TO_HIGH,
      maxOutput: 128_000,
      quirks: COLD_WHILE_THINKING,
    },
  },
  { match: GPT, from: [5, 1], facts: { thinking: LOW_TO_HIGH } },
  { match: GPT_WITH_OFF, from: [5, 1], below: [6, 0], facts: { quirks: OFF_IS_NONE } },
  { match: GPT, from: [5, 2], facts: { thinking: LOW_TO_XHIGH } },
  { match: /^gpt-5\.1-codex-max/, facts: { thinking: LOW_TO_XHIGH } },
  { match: /^gpt-5-codex/, facts: { thinking: LOW_TO_HIGH } },
  { match: /^gpt-5-pro/, facts: { thinking: SWITCH } },
  { match: /^gpt-5\.\d+-pro/, facts: { thinking: ["medium", "high", "xhigh"] } },
  { match: /^gpt-5\S*-codex-spark/, facts: { input: TEXT, maxOutput: 32_000 } },
  { match: /^gpt-(?:5\S*-)?chat/, facts: { input: IMAGE, thinking: null, maxOutput: K16 } },
  {
    match: /^gpt-(?:sol|terra|luna|astra|mini)-latest/,
    facts: {
      input: IMAGE,
      thinking: LOW_TO_XHIGH,
      maxOutput: 128_000,
      quirks: COLD_WHILE_THINKING,
    },
  },
  { match: /^codex-mini/, facts: { input: TEXT, thinking: LOW_TO_HIGH, maxOutput: 100_000 } },
  { match: /^gpt-oss/, facts: { input: TEXT, thinking: LOW_TO_HIGH, maxOutput: K32 } },

  // Gemini. A budget up to 2.5, a word since 3.
  { match: /^gemini/, facts: { input: IMAGE, maxOutput: K8 } },
  { match: GEMINI, from: [2, 5], facts: { thinking: MINIMAL_TO_HIGH, maxOutput: K64 } },
  {
    match: /^gemini-2\.5-pro/,
    facts: { thinking: ALL, quirks: { google: { maxThinkingBudget: 32_768 } } },
  },
  {
    match: /^gemini-2\.5-flash/,
    facts: { quirks: { google: { thinkingOff: { thinkingBudget: 0 } } } },
  },
  { match: GEMINI, from: [3, 0], facts: { quirks: LEVELS_AS_WORDS } },
  { match: GEMINI_PRO, from: [3, 0], facts: { thinking: ["low", "high"] } },
  { match: GEMINI_PRO, from: [3, 1], facts: { thinking: LOW_TO_HIGH } },
  { match: GEMINI_FLASH, from: [3, 0], facts: { thinking: MINIMAL_TO_HIGH } },
  {
    match: /^gemini-(?:pro|flash|flash-lite)-latest/,
    facts: { thinking: LOW_TO_HIGH, maxOutput: K64, quirks: LEVELS_AS_WORDS },
  },
  { match: /^gemma-?[1-9]/, facts: { input: TEXT, maxOutput: K8 } },
  { match: /^gemma-?[34]/, facts: { input: IMAGE } },

  // Grok.
  { match: GROK, facts: { input: TEXT, maxOutput: K16 } },
  { match: GROK, from: [4, 0], facts: { input: IMAGE, thinking: SWITCH, maxOutput: 30_000 } },
  { match: GROK, from: [4, 3], below: [4, 20], facts: { thinking: LOW_TO_HIGH } },
  { match: GROK, from: [4, 5], below: [4, 20], facts: { maxOutput: K64 } },
  { match: /^grok-latest/, facts: { input: IMAGE, thinking: LOW_TO_HIGH, maxOutput: K64 } },
  { match: /^grok-(?:code|build)/, facts: { input: TEXT, thinking: SWITCH, maxOutput: 30_000 } },
  { match: /^grok-.*non-reasoning/, facts: { thinking: null } },

  // DeepSeek.
  { match: /^deepseek/, facts: { input: TEXT, maxOutput: K8 } },
  {
    match: /^deepseek-(?:r1|reasoner)/,
    facts: { input: TEXT, thinking: SWITCH, maxOutput: K32, quirks: KEEPS_THOUGHTS },
  },
  {
    match: DEEPSEEK,
    from: [3, 1],
    facts: { thinking: SWITCH, maxOutput: K32, quirks: KEEPS_THOUGHTS },
  },
  { match: DEEPSEEK, from: [4, 0], facts: { thinking: THREE_MARKS, maxOutput: K64 } },
  {
    match: /^deepseek-(?:\S*-)?(?:flash|pro)(?:-latest)?$/,
    facts: { thinking: THREE_MARKS, maxOutput: K64, quirks: KEEPS_THOUGHTS },
  },
  { match: /^deepseek.*vision/, facts: { input: IMAGE } },

  // Kimi.
  { match: /^kimi/, facts: { input: TEXT, maxOutput: K32 } },
  { match: /^kimi-k2-thinking/, facts: { thinking: SWITCH, quirks: KEEPS_THOUGHTS } },
  { match: KIMI, from: [2, 5], facts: { input: IMAGE, thinking: SWITCH, quirks: KEEPS_THOUGHTS } },
  {
    match: /^kimi-(?:k3|for-coding|latest|fast-latest)|^k3(?:-|$)/,
    facts: { input: IMAGE, thinking: THREE_MARKS, maxOutput: K128, quirks: KEEPS_THOUGHTS },
  },

  // GLM: `v` behind the version sees.
  { match: /^glm/, facts: { input: TEXT, maxOutput: K16 } },
  { match: GLM, from: [4, 5], facts: { thinking: SWITCH, maxOutput: 98_304 } },
  { match: GLM, from: [4, 6], facts: { maxOutput: K128 } },
  { match: /^glm-(?:flash-|fast-)?latest/, facts: { thinking: SWITCH, maxOutput: K128 } },
  { match: /^glm-?\d+(?:\.\d+)?v/, facts: { input: IMAGE, maxOutput: K16 } },

  // MiniMax.
  { match: /^minimax-(?:m\d|latest)/, facts: { input: TEXT, thinking: SWITCH, maxOutput: K128 } },
  { match: /^minimax-(?:m3|latest)/, facts: { input: IMAGE } },

  // Qwen.
  { match: /^qwen|^qwq|^qvq/, facts: { input: TEXT, maxOutput: K8 } },
  { match: QWEN, from: [3, 0], facts: { thinking: SWITCH, maxOutput: K32 } },
  {
    match: /^qwen3(?:-\S*)?-(?:instruct|coder|max|next)|^qwen3-(?:coder|max)/,
    facts: { thinking: null, maxOutput: K64 },
  },
  { match: /^qwen3-\S*thinking|^qwq|^qvq/, facts: { thinking: SWITCH, maxOutput: K32 } },
  { match: QWEN, from: [3, 5], facts: { input: IMAGE, maxOutput: K64 } },
  {
    match: /^qwen(?:-(?:plus|flash|turbo|max-latest))/,
    facts: { thinking: SWITCH, maxOutput: K32 },
  },
  { match: /^qwen\S*-(?:vl|omni)|^qvq|^vision-model/, facts: { input: IMAGE } },
  { match: /^coder-model/, facts: { input: TEXT, thinking: null, maxOutput: K64 } },

  // MiMo.
  {
    match: MIMO,
    from: [2, 0],
    facts: { input: TEXT, thinking: SWITCH, maxOutput: K128, quirks: KEEPS_THOUGHTS },
  },
  { match: MIMO, from: [2, 5], facts: { input: IMAGE } },
  { match: /^mimo-\S*omni/, facts: { input: IMAGE } },

  // Mistral.
  {
    match: /^(?:open-)?(?:mistral|mixtral|ministral|codestral|devstral|magistral|labs-devstral)/,
    facts: { input: TEXT, maxOutput: K16 },
  },
  {
    match:
      /^(?:pixtral|mistral-(?:large-(?:latest|25|3)|medium|small|nemotron-vl))|^ministral-(?:3|8|14)b?-/,
    facts: { input: IMAGE, maxOutput: K16 },
  },
  {
    match: /^mistral-(?:medium-(?:latest|2604|3\.5)|small-(?:latest|2603|4))/,
    facts: { thinking: SWITCH },
  },
  { match: /^magistral/, facts: { thinking: SWITCH, maxOutput: K32 } },

  // The rest of those that are met often.
  { match: /^(?:meta-)?llama/, facts: { input: TEXT, maxOutput: K8 } },
  { match: /^(?:meta-)?llama-?4/, facts: { input: IMAGE } },
  { match: /^nova/, facts: { input: IMAGE, maxOutput: K8 } },
  { match: /^nova-micro/, facts: { input: TEXT } },
  { match: /^(?:nvidia-)?nemotron/, facts: { input: TEXT, thinking: SWITCH, maxOutput: K32 } },
  { match: /^(?:doubao-)?seed/, facts: { input: IMAGE, thinking: SWITCH, maxOutput: K32 } },
  { match: /^ring-/, facts: { input: TEXT, thinking: SWITCH, maxOutput: K32 } },
  { match: /^step-/, facts: { input: TEXT, thinking: SWITCH, maxOutput: K32 } },
  { match: /^ernie-\S*thinking/, facts: { input: TEXT, thinking: SWITCH, maxOutput: K32 } },
  { match: /^muse-spark/, facts: { input: IMAGE, maxOutput: K32 } },
  { match: /^phi-4-multimodal/, facts: { input: IMAGE, maxOutput: K8 } },

  // Names that say it themselves.
  { match: /[-.](?:vision|vl|omni|multimodal)(?:[-:.]|$)/, facts: { input: IMAGE } },
];
