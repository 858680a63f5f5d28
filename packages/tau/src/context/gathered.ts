// What was gathered for a session's model, for whoever in the session goes by it.

import { partKey } from "../base/part.ts";
import type { Instructions } from "./gather-instructions.ts";

/** Absent if the caller brings words of its own. */
export const GATHERED = partKey<Instructions>("gathered instructions");
