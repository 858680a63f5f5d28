// Models that the data the catalog is made from does not have.

export interface SourceModel {
  id: string;
  name: string;
  /** Tokens. */
  context?: number;
  /** US dollars per million tokens. */
  cost?: { input: number; output: number; cache_read?: number; cache_write?: number };
}

export const ADDITIONS: Readonly<Record<string, readonly SourceModel[]>> = {
  openrouter: [{ id: "openrouter/auto", name: "Auto (OpenRouter chooses)", context: 200_000 }],
  firepass: [
    {
      id: "accounts/fireworks/routers/kimi-k2p6-turbo",
      name: "Kimi K2.6 Turbo",
      context: 262_144,
    },
  ],
  "qwen-portal": [
    { id: "coder-model", name: "Qwen Coder", context: 1_000_000 },
    { id: "vision-model", name: "Qwen Vision", context: 131_072 },
  ],
  // The rest depends on the account and is asked for.
  cursor: [{ id: "auto", name: "Auto (Cursor chooses)", context: 200_000 }],
  qianfan: [
    { id: "deepseek-v3.2", name: "DeepSeek V3.2", context: 98_304 },
    { id: "ernie-5.0-thinking-preview", name: "ERNIE 5.0 Thinking Preview", context: 119_000 },
  ],
};
