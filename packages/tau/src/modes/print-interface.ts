// Whom an extension meets in print mode: nobody who could answer, and somebody who may read standard
// error afterwards.

import { writeError } from "../base/output.ts";
import { withSender } from "../feature-api/sender.ts";
import { NOBODY, type UserInterface } from "../feature-api/user-interface.ts";

export function printInterface({ quiet }: { quiet: boolean }): UserInterface {
  return {
    ...NOBODY,
    front: "print",
    notify: (text, tone = "info", { from } = {}) => {
      if (!quiet || tone === "error") writeError(`${withSender(String(text), from)}\n`);
    },
  };
}
