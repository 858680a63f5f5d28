// What each vendor takes of images in one request, as data. A request beyond it is refused whole,
// and with the image in the history every later one as well.

import type { Model } from "./model.ts";
import type { WireId } from "./wire.ts";

export interface ImageLimits {
  /** Pixels, of the longer side. */
  maxEdgePx: number;
  /** Characters of base64, of one image. */
  maxChars: number;
  /** Images in one request. */
  maxCount: number;
  /** Characters of base64, of all images of a request: the rest of its size is for the words. */
  maxTotalChars: number;
}

const MIB = 1024 * 1024;

/**
 * 8000 px a side, and 2000 px from the twentieth image on; what is beyond about 1600 px the vendor
 * scales down before it looks. The lower limit always: the prompt stays as it was cached.
 */
const ANTHROPIC: ImageLimits = {
  maxEdgePx: 1920,
  maxChars: 5 * MIB,
  maxCount: 100,
  maxTotalChars: 24 * MIB,
};

/** Scaled to 2048 px before it is looked at; 50 MB a request. Hosts of this wire pass on to others. */
const OPENAI: ImageLimits = { ...ANTHROPIC, maxEdgePx: 2048 };

/** 20 MB a request with everything that is inline. */
const GOOGLE: ImageLimits = {
  maxEdgePx: 3072,
  maxChars: 7 * MIB,
  maxCount: 1000,
  maxTotalChars: 15 * MIB,
};

const LIMITS: Record<WireId, ImageLimits> = {
  "anthropic-messages": ANTHROPIC,
  // 20 images a message of at most 3.75 MB, and 20 MB a request.
  "bedrock-converse-stream": {
    ...ANTHROPIC,
    maxChars: Math.floor(3.75 * MIB),
    maxCount: 20,
    maxTotalChars: 15 * MIB,
  },
  "openai-completions": OPENAI,
  "openai-responses": OPENAI,
  "openai-codex-responses": OPENAI,
  "azure-openai-responses": { ...OPENAI, maxCount: 50 },
  "google-generative-ai": GOOGLE,
  "google-vertex": { ...GOOGLE, maxEdgePx: ANTHROPIC.maxEdgePx, maxChars: ANTHROPIC.maxChars },
  "google-gemini-cli": { ...GOOGLE, maxEdgePx: ANTHROPIC.maxEdgePx, maxChars: ANTHROPIC.maxChars },
  "ollama-chat": OPENAI,
  // Nothing is published; its models are those of these two.
  "cursor-agent": ANTHROPIC,
  "tau-native": ANTHROPIC,
  "in-process": GOOGLE,
};

/** A provider's row may know better than its wire. */
export function imageLimitsOf({ wire, quirks }: Pick<Model, "wire" | "quirks">): ImageLimits {
  return { ...LIMITS[wire], ...(quirks?.imageLimits as Partial<ImageLimits> | undefined) };
}
