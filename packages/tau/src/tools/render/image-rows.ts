// Pictures in a result, by their size: views are text, and whoever can draw them does so below.

import type { ImageBlock } from "@tau/ai/message";
import type { CallLook, CallState } from "../../feature-api/tool-view.ts";
import { imageSize } from "./image-size.ts";
import { mutedRow } from "./output-rows.ts";

/** How a text for the model names the picture that comes with it. */
const NAMED = /^\[image (\d{1,4})\]$/gm;

function labelsOf({ result }: CallState): string[] {
  const images = (result?.content ?? []).filter(
    (block): block is ImageBlock => block.type === "image",
  );
  return images.map(({ data }) => {
    const size = imageSize(data);
    return size ? `[image ${size.width}×${size.height}]` : "[image]";
  });
}

export function imageRows(state: CallState, look: CallLook): string[] {
  return labelsOf(state).map((label) => mutedRow(label, look));
}

/** The text with sizes where it names pictures, and those that it does not name. */
export function withImageSizes(text: string, state: CallState): { text: string; images: string[] } {
  const labels = labelsOf(state);
  const named = new Set<number>();
  const sized = text.replace(NAMED, (mark, number: string) => {
    const at = Number(number) - 1;
    named.add(at);
    return labels[at] ?? mark;
  });
  return { text: sized, images: labels.filter((_, at) => !named.has(at)) };
}
