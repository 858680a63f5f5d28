// `/approval`: shows how much is asked about before it runs, and changes it for this session. Only a
// person may: what comes in as a prompt from elsewhere must not give itself consent.

import type { SessionCommand } from "../../session/session-command.ts";
import { UserError } from "../../user-error.ts";
import { APPROVAL_MODES } from "./settings.ts";

export const APPROVAL_COMMAND: SessionCommand = {
  name: "approval",
  argument: "[MODE]",
  help: "choose which calls need your approval",
  when: "any",
  from: "person",
  complete: () => APPROVAL_MODES,
  run: async ({ session }, word) => {
    const { APPROVAL } = await import("./approval.ts");
    const approval = session.parts.need(APPROVAL);
    if (word !== "") {
      const mode = APPROVAL_MODES.find((known) => known === word);
      if (!mode) throw new UserError(`choose one of ${APPROVAL_MODES.join(", ")}`);
      await approval.setMode(mode);
    }
    const { mode, losses } = approval;
    return [`Approval is ${mode} in this session.`, ...losses].join("\n");
  },
};
