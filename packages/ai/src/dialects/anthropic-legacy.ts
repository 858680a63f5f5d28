// The older form of Claude's calls, read only: the name and every parameter are elements
// of their own, and a parameter's element is called like the parameter.

import { parameterSchema } from "./parameter-value.ts";
import type { Step } from "./scan/input.ts";
import { Markers } from "./scan/markers.ts";
import type { Scan } from "./scan/scanner.ts";
import { readTaggedValue } from "./scan/tagged-value.ts";

const NAME_ELEMENT = /^\s*>\s*<tool_name>\s*([\w.-]+)\s*<\/tool_name>/;
const NAME_ELEMENT_SO_FAR = /^\s*(?:>\s*(?:<[\w/]*(?:>\s*[\w.-]*\s*(?:<[\w/]*)?)?)?)?$/;
const TAG_NAME = /^[^\s<>/]*$/;
const PARAMETERS = "<parameters>";
const PARAMETERS_END = "</parameters>";

/** Behind `<invoke`. False where no such call follows. */
export function* readLegacyCall(scan: Scan, callEnds: Markers): Step<boolean> {
  const { input, out, tools } = scan;
  const header = yield* input.match(NAME_ELEMENT, NAME_ELEMENT_SO_FAR);
  if (!header) return false;
  input.skip(header[0].length);
  const name = header[1]!;
  const call = out.call(name);
  let tag = yield* input.accept([PARAMETERS]);
  if (tag !== undefined) tag = yield* input.accept([PARAMETERS_END, "<"]);
  while (tag === "<") {
    const key = yield* input.before(">", TAG_NAME);
    if (key === undefined || key === "") break;
    input.skip(key.length + 1);
    tag = yield* readTaggedValue(scan, call, {
      key,
      schema: parameterSchema(tools.get(name), key),
      closers: new Markers([`</${key}>`]),
      followers: [PARAMETERS_END, "<"],
    });
  }
  let rest = "";
  const end = yield* input.passUntil(callEnds, (piece) => void (rest += piece));
  const isComplete = tag !== "<" && end !== undefined && rest.trim() === "";
  if (isComplete) call.settle();
  else call.abandon();
  return true;
}
