// A session that belongs to another directory: whether to take it here, to copy it here, or to
// leave it, is for the person at the terminal to say.

import { SelectDialog } from "@tau/tui/components/select-dialog";
import type { Elsewhere, ElsewhereChoice } from "../../session/listing/elsewhere.ts";
import type { Stage } from "./stage.ts";

export async function askElsewhere(
  { cwd, isGone }: Elsewhere,
  stage: Stage,
): Promise<ElsewhereChoice> {
  const { theme, bindings, requestRender } = stage;
  const where = isGone ? `${cwd}, which is gone` : cwd;
  const answer = await stage.show<ElsewhereChoice>((close) => {
    const dialog = new SelectDialog<ElsewhereChoice>({
      title: `This session belongs to ${where}`,
      items: [
        { value: "move", label: "Take it here", detail: "it belongs to this directory then" },
        { value: "fork", label: "Copy it here", detail: "it stays where it is" },
        { value: "cancel", label: "Leave it" },
      ],
      theme,
      bindings,
      requestRender,
    });
    void dialog.result.then(close);
    return dialog;
  });
  return answer ?? "cancel";
}
