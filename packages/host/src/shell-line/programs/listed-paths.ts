// Lists of files that a program is given instead of the files: `xz --files=list`, `tar -T list`, `zip -@`.

import type { CommandCall } from "../command-call.ts";
import { knownField, unknownField, type Field } from "../field.ts";
import { fileText } from "../note-written.ts";

/** More are a list that somebody generated; what is in it is not looked at one by one. */
const MAX_PATHS = 200;

/** The paths in the file, or on the input if there is none; one that may be anything if nobody can say. */
export function listedPaths(call: CommandCall, list: Field | undefined): Field[] {
  const isInput = list === undefined || list.text === "-";
  const { input } = call;
  if (isInput && input.paths) return [...input.paths];
  const text = isInput ? (input.text ?? fileText(call, input.file)) : fileText(call, list);
  const paths = text?.split(/[\n\0]/).filter((path) => path.trim() !== "");
  if (!paths || paths.length > MAX_PATHS) return [unknownField()];
  return paths.map((path) => knownField(path));
}
