// Which tools of a session are Tau's own. An extension's tool may have the name of one that it replaces:
// whoever relies on what a tool does goes by the tool itself.

import type { Tool } from "@tau/agent/tool";
import { partKey } from "../base/part.ts";

/** Of every session; without those of extensions and embedding programs. */
export const OWN_TOOLS = partKey<ReadonlySet<Tool>>("own tools");
