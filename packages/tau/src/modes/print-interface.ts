// Whom an extension meets in print mode: nobody who could answer, and somebody who may read standard
// error afterwards.

import { COMMAND } from "../brand.ts";
import { writeError } from "../base/output.ts";
import { NOBODY, type UserInterface } from "../feature-api/user-interface.ts";

export function printInterface({ quiet }: { quiet: boolean }): UserInterface {
  return {
    ...NOBODY,
    front: "print",
    notify: (text, tone = "info") => {
      if (!quiet || tone === "error") writeError(`${COMMAND}: ${text}\n`);
    },
  };
}
