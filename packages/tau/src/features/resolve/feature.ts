// Resolve: a change that a tool only shows is applied or discarded before anything else happens.

import type { Feature } from "../../feature-api/feature.ts";
import { WORKSPACE } from "../../tools/workspace.ts";

export const resolve: Feature = {
  name: "resolve",
  order: 200,
  tools: ["resolve"],
  // It comes with whatever shows a change before it is made.
  worksWithoutTools: true,
  isOn: ({ canPreview }) => canPreview,
  setup: async (host) => {
    const workspace = host.need(WORKSPACE);
    const { previews } = workspace.files;
    const [{ createResolveTool }, { settlePreviews }, { assessPaths }] = await Promise.all([
      import("./resolve-tool.ts"),
      import("./settle-previews.ts"),
      import("../../tools/assess-path.ts"),
    ]);
    const tool = createResolveTool(previews, { assess: (paths) => assessPaths(workspace, paths) });
    return { tools: [tool], hooks: settlePreviews(host, previews) };
  },
  terminal: () => import("./terminal.ts"),
};
