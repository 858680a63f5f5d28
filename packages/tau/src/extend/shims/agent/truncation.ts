// Long output made short: its beginning or its end, with what there is of it in all.

export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;
const MAX_GREP_LINE = 500;

interface Limits {
  maxLines?: number;
  maxBytes?: number;
}

export interface TruncationResult {
  content: string;
  truncated: boolean;
  truncatedBy: "lines" | "bytes" | null;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  lastLinePartial: boolean;
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
}

function truncate(text: string, limits: Limits, end: "head" | "tail"): TruncationResult {
  const { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES } = limits;
  const lines = text.split("\n");
  const totalBytes = Buffer.byteLength(text);
  const from = end === "head" ? lines : lines.toReversed();
  const kept: string[] = [];
  let bytes = 0;
  let by: TruncationResult["truncatedBy"] = null;
  for (const line of from) {
    const size = Buffer.byteLength(line) + (kept.length > 0 ? 1 : 0);
    if (kept.length >= maxLines) by = "lines";
    else if (bytes + size > maxBytes) by = "bytes";
    if (by) break;
    kept.push(line);
    bytes += size;
  }
  const content = (end === "head" ? kept : kept.toReversed()).join("\n");
  return {
    content,
    truncated: by !== null,
    truncatedBy: by,
    totalLines: lines.length,
    totalBytes,
    outputLines: kept.length,
    outputBytes: Buffer.byteLength(content),
    lastLinePartial: false,
    firstLineExceedsLimit: by === "bytes" && kept.length === 0,
    maxLines,
    maxBytes,
  };
}

export function truncateHead(text: string, limits: Limits = {}): TruncationResult {
  return truncate(text, limits, "head");
}

export function truncateTail(text: string, limits: Limits = {}): TruncationResult {
  return truncate(text, limits, "tail");
}

export function truncateLine(
  line: string,
  max = MAX_GREP_LINE,
): { text: string; wasTruncated: boolean } {
  if (line.length <= max) return { text: line, wasTruncated: false };
  return { text: `${line.slice(0, max)}… [truncated]`, wasTruncated: true };
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)}MB`;
}
