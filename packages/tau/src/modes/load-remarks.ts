// What the terminal says of a call beside its name, for exports: the tools' views know it.

import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import type { Feature } from "../feature-api/feature.ts";
import type { RemarksOn } from "../session/export/work-text.ts";
import { tookWords } from "../tools/render/seconds.ts";
import { loadToolViews } from "./interactive/tool-views.ts";

/** No view's remark is cut to fit: a line of a file has room for it. */
const COLUMNS = 200;

export async function loadRemarks(features: readonly Feature[]): Promise<RemarksOn> {
  const viewOf = await loadToolViews(features);
  const look = { theme: colourlessTheme(), columns: COLUMNS, detail: "short", cwd: "" } as const;
  return (work) => {
    const { name, output = "", omitted = [], durationMs } = work;
    const remark = viewOf(name).remark?.({ ...work, output }, look);
    const lost = omitted.length === 0 ? undefined : `not kept: ${omitted.join(", ")}`;
    return [remark, lost, tookWords(durationMs)].filter((words) => words !== undefined);
  };
}
