// What a command prints, on its way to three readers: the model gets both ends within bounds,
// whoever watches gets it as it comes, and what is too long for the model is kept whole.

import { OutputCapture } from "@tau/host/output-capture";
import { plainOutput } from "@tau/host/text/plain-output";
import type { ArtifactStore } from "../../session/artifacts/artifact-store.ts";
import { LiveOutput } from "./live-output.ts";
import { SpillWriter } from "./spill-writer.ts";

/** Up to here the model gets all of it: what most commands print, and some 3,000 tokens. */
const WHOLE_BYTES = 12 * 1024;
/** Beyond, this much of the beginning and the end together. */
const KEPT_BYTES = 10 * 1024;

/** Up to here it is looked through for lines that repeat each other. */
const FOLDED_BYTES = 4 * 1024 * 1024;

/** For the tool table: what comes from here is bounded already, by bytes and not by lines. */
export const COLLECTED_LIMITS = {
  bytes: 4 * WHOLE_BYTES,
  lines: Number.MAX_SAFE_INTEGER,
  keep: "both",
} as const;

export interface CollectedOutput {
  text: string;
  totalBytes: number;
  /** Whether the text leaves something out. */
  isCut: boolean;
  /** Where all of it is, if the text is not all of it. */
  artifactId?: string;
  /** How much of it is there, where that is not all: the disk was full, or it was too much. */
  keptBytes?: number;
}

/** Where the rest of an output is to be found, in words. */
export function artifactNote({
  artifactId,
  keptBytes,
}: Pick<CollectedOutput, "artifactId" | "keptBytes">): string {
  if (artifactId === undefined) return "";
  return keptBytes === undefined
    ? `[the whole output: artifact://${artifactId}]`
    : `[the first ${keptBytes} bytes of the output, more could not be kept: artifact://${artifactId}]`;
}

/** Without what its lines repeat, and if that is still too much, both ends. */
async function shortened(chunks: readonly Buffer[]): Promise<string> {
  const whole = Buffer.concat(chunks);
  const { foldLines } = await import("./fold-lines.ts");
  const folded = foldLines(plainOutput(whole.toString("utf8")));
  const ends = new OutputCapture(KEPT_BYTES);
  ends.push(Buffer.from(folded));
  return ends.result().text;
}

export class OutputCollector {
  readonly #tool: string;
  readonly #artifacts: () => Promise<ArtifactStore>;
  readonly #live: LiveOutput;
  readonly #capture = new OutputCapture(KEPT_BYTES);
  /** As long as it can be folded. */
  #whole: Buffer[] | undefined = [];
  #total = 0;
  #spill: SpillWriter | undefined;

  constructor(options: {
    /** Whose output it is. */
    tool: string;
    artifacts: () => Promise<ArtifactStore>;
    /** What is new, as plain text; of a flood the latest. */
    update: (text: string) => void;
  }) {
    this.#tool = options.tool;
    this.#artifacts = options.artifacts;
    this.#live = new LiveOutput(options.update);
  }

  /** A promise where the disk has to catch up. */
  readonly push = (bytes: Buffer): void | Promise<void> => {
    this.#total += bytes.length;
    this.#capture.push(bytes);
    this.#live.push(bytes);
    this.#whole?.push(Buffer.from(bytes));
    if (this.#total <= WHOLE_BYTES) return undefined;
    const before = this.#spill ? bytes : Buffer.concat(this.#whole!);
    if (this.#total > FOLDED_BYTES) this.#whole = undefined;
    this.#spill ??= new SpillWriter(this.#artifacts(), this.#tool);
    return this.#spill.push(before);
  };

  async finish(): Promise<CollectedOutput> {
    this.#live.end();
    if (this.#whole && this.#total <= WHOLE_BYTES) {
      const text = Buffer.concat(this.#whole).toString("utf8");
      return { text: plainOutput(text), totalBytes: this.#total, isCut: false };
    }
    const text = this.#whole ? await shortened(this.#whole) : this.#capture.result().text;
    const kept = await this.#spill?.close();
    const base = { text: plainOutput(text), totalBytes: this.#total, isCut: true };
    if (!kept) return base;
    return kept.failure
      ? { ...base, artifactId: kept.id, keptBytes: kept.bytes }
      : { ...base, artifactId: kept.id };
  }
}
