// Which engine searches: ripgrep where it is found, plain JavaScript where it is not.

import { locateRipgrep, type RipgrepPlaces } from "./locate-ripgrep.ts";
import type { LineEngine } from "./line-engine.ts";

export type EngineChoice = { kind: "ripgrep"; places?: RipgrepPlaces } | { kind: "plain" };

/** Found once: packages do not move while the program runs. */
let usual: Promise<string | undefined> | undefined;

export async function chooseEngine(choice: EngineChoice | undefined): Promise<LineEngine> {
  if (choice?.kind !== "plain") {
    const program = await (choice?.places
      ? locateRipgrep(choice.places)
      : (usual ??= locateRipgrep()));
    if (program !== undefined) {
      const { createRipgrepEngine } = await import("./ripgrep-engine.ts");
      return createRipgrepEngine(program);
    }
  }
  const { createPlainEngine } = await import("./plain-engine.ts");
  return createPlainEngine();
}
