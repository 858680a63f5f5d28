// `/approval`: shows how much is asked about before it runs, and changes it for this session. Only a
// person may: what comes in as a prompt from elsewhere must not give itself consent.

import type { SessionCommand } from "../../session/session-command.ts";
import { UserError } from "../../user-error.ts";
import type { Approval } from "./approval.ts";
import { APPROVAL_MODES } from "./settings.ts";

export const APPROVAL_COMMAND: SessionCommand = {
  name: "approval",
  argument: "[MODE|forget]",
  help: "choose what needs your approval; take back a yes",
  when: "any",
  from: "person",
  complete: () => [...APPROVAL_MODES, "forget"],
  run: async ({ session }, word) => {
    const { APPROVAL } = await import("./approval.ts");
    const approval = session.parts.need(APPROVAL);
    const forgotten = /^forget(?:\s+(\S+))?$/.exec(word);
    if (forgotten) return forget(approval, forgotten[1]);
    if (word !== "") {
      const mode = APPROVAL_MODES.find((known) => known === word);
      if (!mode) throw new UserError(`choose one of ${APPROVAL_MODES.join(", ")}, or forget N`);
      await approval.setMode(mode);
    }
    const { mode, losses } = approval;
    return [`Approval is ${mode} in this session.`, ...losses, ...listed(approval)].join("\n");
  },
};

const WHERE = { session: "in this session", project: "always in this project" } as const;

/** What was allowed, with the numbers by which it is taken back. */
function listed({ allowed }: Approval): string[] {
  if (allowed.length === 0) return [];
  const rows = allowed.map(({ scope, words }, at) => {
    const rule = words.replace(/^allow /, "").replaceAll(/\s*\n\s*/g, " ");
    return `  ${at + 1}  ${WHERE[scope]}: ${rule}`;
  });
  return ["Allowed (/approval forget N takes it back):", ...rows];
}

async function forget(approval: Approval, number: string | undefined): Promise<string> {
  const { allowed } = approval;
  const one = number === undefined ? undefined : allowed[Number(number) - 1];
  if (!one) {
    const which =
      allowed.length === 0 ? "nothing was allowed" : `give a number from 1 to ${allowed.length}`;
    throw new UserError(`${which}; /approval lists what was`);
  }
  await approval.forget(one);
  return `Forgotten ${WHERE[one.scope]}: ${one.words.replace(/^allow /, "")}`;
}
