// Finds a program of the machine by its name. Entries of the PATH that are relative, such as `.` or
// `./node_modules/.bin`, lead into whatever directory Tau works in: what Tau itself starts is never
// looked for there. Commands of the user's shell keep the user's PATH.

import { delimiter, isAbsolute } from "node:path";

export function programOnPath(name: string, searchPath: string | undefined): string | undefined {
  if (isAbsolute(name)) return name;
  return Bun.which(name, { PATH: absoluteEntries(searchPath) }) ?? undefined;
}

/** A PATH that leads nowhere but where it says. */
export function absoluteEntries(searchPath: string | undefined): string {
  const entries = (searchPath ?? "").split(delimiter);
  return entries.filter((entry) => isAbsolute(entry)).join(delimiter);
}
