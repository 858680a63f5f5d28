// Messages and entries, as the family's code looks at them.

type Entry = Record<string, unknown> & { type: string };
type Message = Record<string, unknown> & { role: string; content?: unknown };

/** What of an entry is said to the model. */
export function sessionEntryToContextMessages(entry: Entry): Message[] {
  if (entry.type === "message") return [entry.message as Message];
  const timestamp = Date.parse(String(entry.timestamp));
  if (entry.type === "custom_message") {
    const { customType, content, display, details } = entry;
    return [{ role: "custom", customType, content, display, details, timestamp }];
  }
  if (entry.type === "compaction") {
    return [
      {
        role: "compactionSummary",
        summary: entry.summary,
        tokensBefore: entry.tokensBefore,
        timestamp,
      },
    ];
  }
  if (entry.type === "branch_summary" && entry.summary) {
    return [{ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp }];
  }
  return [];
}

/** What every vendor knows: what only this program says becomes words of the user. */
export function convertToLlm(messages: readonly Message[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (["user", "assistant", "toolResult"].includes(message.role)) return [message];
    const { content, summary, timestamp } = message;
    const words = summary === undefined ? content : String(summary);
    const blocks = typeof words === "string" ? [{ type: "text", text: words }] : words;
    return blocks === undefined ? [] : [{ role: "user", content: blocks, timestamp }];
  });
}

/** A rule of thumb for texts in languages of Europe. */
const CHARACTERS_PER_TOKEN = 4;
/** What a picture is counted as, whatever its size. */
const PICTURE_TOKENS = 1200;

export function estimateTokens(message: Message): number {
  const { content } = message;
  if (typeof content === "string") return Math.ceil(content.length / CHARACTERS_PER_TOKEN);
  if (!Array.isArray(content)) return 0;
  const parts = content.map((block: Record<string, unknown>) => {
    if (block.type === "image") return PICTURE_TOKENS;
    const words = block.text ?? block.thinking ?? JSON.stringify(block.arguments ?? "");
    return Math.ceil(String(words).length / CHARACTERS_PER_TOKEN);
  });
  return parts.reduce((sum, one) => sum + one, 0);
}

export function calculateContextTokens(usage: Record<string, number>): number {
  const { totalTokens, input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
  return totalTokens || input + output + cacheRead + cacheWrite;
}

export function getLastAssistantUsage(entries: readonly Entry[]): unknown {
  const reply = entries.findLast(
    ({ type, message }) => type === "message" && (message as Message).role === "assistant",
  );
  return (reply?.message as Message | undefined)?.usage;
}

/** As Tau's users would find it, if they have set nothing. */
export const DEFAULT_COMPACTION_SETTINGS = {
  enabled: true,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
};

export function shouldCompact(
  contextTokens: number,
  contextWindow: number,
  settings: { enabled?: boolean; reserveTokens?: number } = DEFAULT_COMPACTION_SETTINGS,
): boolean {
  const { enabled = true, reserveTokens = DEFAULT_COMPACTION_SETTINGS.reserveTokens } = settings;
  return enabled && contextTokens > contextWindow - reserveTokens;
}

export function parseSessionEntries(text: string): unknown[] {
  return text.split("\n").flatMap((line): unknown[] => {
    try {
      return line.trim() === "" ? [] : [JSON.parse(line)];
    } catch {
      // The last line of a file that is being written.
      return [];
    }
  });
}

export function getLatestCompactionEntry(entries: readonly Entry[]): Entry | null {
  return entries.findLast(({ type }) => type === "compaction") ?? null;
}

export function buildSessionContext(entries: readonly Entry[]): { messages: Message[] } {
  return { messages: entries.flatMap(sessionEntryToContextMessages) };
}

export const buildContextEntries = (entries: readonly Entry[]): Entry[] => [...entries];

export function serializeConversation(messages: readonly Message[]): string {
  return messages
    .map(
      ({ role, content }) =>
        `[${role}]: ${typeof content === "string" ? content : JSON.stringify(content)}`,
    )
    .join("\n\n");
}

export function isToolCallEventType(name: string, event: { toolName?: string }): boolean {
  return event.toolName === name;
}

const resultOf =
  (name: string) =>
  (event: { toolName?: string }): boolean =>
    event.toolName === name;

export const isBashToolResult = resultOf("bash");
export const isReadToolResult = resultOf("read");
export const isEditToolResult = resultOf("edit");
export const isWriteToolResult = resultOf("write");
export const isGrepToolResult = resultOf("grep");
export const isFindToolResult = resultOf("find");
export const isLsToolResult = resultOf("ls");
export const isPowerShellToolResult = resultOf("powershell");

export function parseFrontmatter(text: string): {
  frontmatter: Record<string, unknown>;
  body: string;
} {
  const [whole, head] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text) ?? [];
  if (whole === undefined) return { frontmatter: {}, body: text };
  const read = (Bun.YAML.parse(head!) ?? {}) as Record<string, unknown>;
  return { frontmatter: read, body: text.slice(whole.length) };
}

export const stripFrontmatter = (text: string): string => parseFrontmatter(text).body;
