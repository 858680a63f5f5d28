// The images of a request, fit for the model that gets it: scaled to its vendor's limits, or a note
// in words in their place. Only what is sent is changed; the session keeps the originals.

import { imageLimitsOf, type ImageLimits } from "@tau/ai/image-limits";
import type { ImageBlock, Message, TextBlock } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import { ImageError } from "@tau/host/image/image-error";
import { imageFacts, imageForModel } from "@tau/host/image/model-image";
import { imageKey, type LeftOut } from "./left-out.ts";

type Fitted = { image: ImageBlock } | { why: string };

/** Scaled images that are kept for the next request; more than a conversation shows at once. */
const MAX_KEPT = 128;
/** So many are left out at once if there are too many: then the prompt stays as it was for a while. */
const SHARE_LEFT_OUT = 0.25;

export interface FittedRequest {
  request: ModelRequest;
  /** Those that are sent, in their order. */
  images: string[];
}

export class ImageFitter {
  readonly #leftOut: LeftOut;
  readonly #kept = new Map<string, Promise<Fitted>>();

  constructor(leftOut: LeftOut) {
    this.#leftOut = leftOut;
  }

  async fit(request: ModelRequest): Promise<FittedRequest> {
    const { model } = request;
    const limits = imageLimitsOf(model);
    const made = new Map<ImageBlock, Fitted>();
    for (const block of imagesOf(request.messages)) {
      const why = this.#leftOut.whyNot(model, imageKey(block));
      made.set(block, why === undefined ? await this.#fitted(block, limits) : { why });
    }
    leaveOutOldest(made, limits);
    const messages: Message[] = [];
    for (const message of request.messages) messages.push(await withImages(message, made));
    const sent = imagesOf(request.messages).filter((block) => "image" in made.get(block)!);
    return { request: { ...request, messages }, images: sent.map(imageKey) };
  }

  #fitted(block: ImageBlock, limits: ImageLimits): Promise<Fitted> {
    const key = `${imageKey(block)} ${limits.maxEdgePx} ${limits.maxChars}`;
    const known = this.#kept.get(key) ?? scaled(block, limits);
    // The ones that were used last stay.
    this.#kept.delete(key);
    this.#kept.set(key, known);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return known;
  }
}

function imagesOf(messages: readonly Message[]): ImageBlock[] {
  return messages.flatMap(({ content }) =>
    (content as readonly { type: string }[]).filter((block) => block.type === "image"),
  ) as ImageBlock[];
}

async function scaled(block: ImageBlock, limits: ImageLimits): Promise<Fitted> {
  const bytes = Buffer.from(block.data, "base64");
  try {
    const made = await imageForModel(bytes, {
      maxEdgePx: limits.maxEdgePx,
      maxBytes: Math.floor((limits.maxChars * 3) / 4),
    });
    if (made.bytes === bytes) return { image: { ...block, mimeType: made.mimeType } };
    const data = Buffer.from(made.bytes).toString("base64");
    return { image: { ...block, mimeType: made.mimeType, data } };
  } catch (error) {
    if (error instanceof ImageError) return { why: reasonOf(error) };
    throw error;
  }
}

function reasonOf({ code }: ImageError): string {
  if (code === "too_large") return "it is too large to be sent";
  return code === "corrupt" ? "it is damaged" : "it cannot be converted here";
}

/** The newest are what is being talked about. */
function leaveOutOldest(made: Map<ImageBlock, Fitted>, limits: ImageLimits): void {
  const sent = [...made].flatMap(([block, fitted]) =>
    "image" in fitted ? [{ block, chars: fitted.image.data.length }] : [],
  );
  let total = sent.reduce((sum, { chars }) => sum + chars, 0);
  const over = Math.max(0, sent.length - limits.maxCount);
  const step = Math.max(1, Math.floor(limits.maxCount * SHARE_LEFT_OUT));
  const tooMany = Math.min(sent.length, Math.ceil(over / step) * step);
  for (const [index, { block, chars }] of sent.entries()) {
    if (index >= tooMany && total <= limits.maxTotalChars) return;
    made.set(block, { why: "there are newer images, and a request takes only so many" });
    total -= chars;
  }
}

async function withImages(
  message: Message,
  made: ReadonlyMap<ImageBlock, Fitted>,
): Promise<Message> {
  const content: (TextBlock | ImageBlock)[] = [];
  for (const block of message.content as (TextBlock | ImageBlock)[]) {
    const fitted = block.type === "image" ? made.get(block) : undefined;
    if (!fitted) content.push(block);
    else if ("image" in fitted) content.push(fitted.image);
    else content.push({ type: "text", text: await note(block as ImageBlock, fitted.why) });
  }
  return { ...message, content } as Message;
}

/** As `[image: wide.png, 9000×20; this model does not see images]`. */
async function note(block: ImageBlock, why: string): Promise<string> {
  const facts = [block.name ?? block.mimeType];
  try {
    const { width, height } = await imageFacts(Buffer.from(block.data, "base64"));
    facts.push(`${width}×${height}`);
  } catch (error) {
    // A damaged one does not say how large it is.
    if (!(error instanceof ImageError)) throw error;
  }
  return `[image: ${facts.join(", ")}; ${why}]`;
}
