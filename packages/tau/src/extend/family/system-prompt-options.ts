// What the system prompt is made of, as the family's code looks at it. It is Tau's to put together: what is
// written into it here changes nothing; an answer with a system prompt does.

import { resolve } from "node:path";
import { GATHERED } from "../../context/gathered.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";

export function systemPromptOptions(host: FeatureHost): object {
  const found = host.part(GATHERED);
  const { cwd } = host;
  return {
    cwd,
    selectedTools: host.tools().map(({ name }) => name),
    hiddenTools: [],
    toolSnippets: {},
    toolGuidelines: {},
    promptGuidelines: [],
    appendSystemPrompt: found?.append ?? "",
    sections: {},
    contextFiles: (found?.contextFiles ?? []).map(({ shown, text }) => ({
      path: resolve(cwd, shown),
      content: text,
    })),
    skills: (found?.skills ?? []).map(({ name, description }) => ({ name, description })),
  };
}
