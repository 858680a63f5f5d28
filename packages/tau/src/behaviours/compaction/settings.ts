// How compaction is set up; the settings table gives these values, this file their meaning.

export interface CompactionSettings {
  enabled: boolean;
  strategy: string;
  /** Tokens kept free for the reply. */
  reserveTokens: number;
  /** Tokens at the end of the conversation that are kept as they are. */
  keepRecentTokens: number;
  /** Percent of the window, or tokens, from which on to compact; not above 0: worked out. */
  thresholdPercent: number;
  thresholdTokens: number;
  autoContinue: boolean;
  idleEnabled: boolean;
  idleThresholdTokens: number;
  idleTimeoutSeconds: number;
  /** Where the `remote` strategy posts to. */
  remoteEndpoint?: string;
}

export const DEFAULT_COMPACTION: CompactionSettings = {
  enabled: true,
  strategy: "summary",
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
  thresholdPercent: -1,
  thresholdTokens: -1,
  autoContinue: true,
  idleEnabled: false,
  idleThresholdTokens: 200_000,
  idleTimeoutSeconds: 300,
};
