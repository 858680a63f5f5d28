// `artifact://N`: what a tool gave in full, where the model was shown a part of it.

import { ToolError } from "@tau/agent/tool";
import type { ArtifactStore } from "../session/artifacts/artifact-store.ts";
import type { Scheme } from "../resources/schemes.ts";

/** Loaded at once; a longer one is read by its file. */
const MAX_LOADED_BYTES = 16 * 1024 * 1024;

export function artifactScheme(store: () => Promise<ArtifactStore>): Scheme {
  return {
    name: "artifact",
    example: "artifact://0",
    async open({ path: id }, { selector }) {
      const artifacts = await store();
      const shown = `artifact://${id}`;
      const info = (await artifacts.list()).find((one) => one.id === id);
      // Another process, or another machine, may have it all the same: the store decides.
      if (info?.path !== undefined && info.bytes > MAX_LOADED_BYTES) {
        return { type: "file", path: info.path, shown, notes: [], selector };
      }
      try {
        const bytes = await artifacts.readBytes(id, 0, MAX_LOADED_BYTES);
        const text = new TextDecoder().decode(bytes);
        const backing = info?.path === undefined ? {} : { backing: info.path };
        return { type: "text", shown, text, notes: [], ...backing };
      } catch (error) {
        // By name: what keeps artifacts is loaded when there are some.
        const isMissing = error instanceof Error && error.name === "ArtifactMissing";
        if (isMissing) throw new ToolError(error.message);
        throw error;
      }
    },
  };
}
