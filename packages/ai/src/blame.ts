// What of a request its refusal is about, so that the request can be repaired without it. Found by
// `wires/find-blame.ts` in what the vendor answered.

export type Blame =
  | { part: "tool"; name: string }
  /** The model or its server takes no tools, or only so many. */
  | { part: "tools"; most?: number }
  /** Some tool's schema; the vendor does not say which. */
  | { part: "schemas" }
  /** `index`: among the images of the request as it was sent; absent if the vendor does not say. */
  | { part: "image"; index?: number }
  /** The model takes no images at all. */
  | { part: "sight" }
  /** What the model thought before: its signature is another account's, or no longer taken. */
  | { part: "reasoning" };
