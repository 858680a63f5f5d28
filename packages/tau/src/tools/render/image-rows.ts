// Pictures in a result, by their size: views are text, and whoever can draw them does so below.

import type { CallLook, CallState } from "../../modes/interactive/tool-view.ts";
import { imageSize } from "./image-size.ts";
import { mutedRow } from "./output-rows.ts";

export function imageRows({ result }: CallState, look: CallLook): string[] {
  const rows: string[] = [];
  for (const block of result?.content ?? []) {
    if (block.type !== "image") continue;
    const size = imageSize(block.data);
    rows.push(mutedRow(size ? `[image ${size.width}×${size.height}]` : "[image]", look));
  }
  return rows;
}
