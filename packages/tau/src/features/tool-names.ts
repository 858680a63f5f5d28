// The names of the tools that come with Tau.

import { BUILT_IN } from "./built-in.ts";

export const BUILT_IN_TOOLS: readonly string[] = BUILT_IN.flatMap(({ tools }) => tools ?? []);
