// The way up from a directory.

import { dirname } from "node:path";

/** The directory itself, then those above it, up to the root of the file system. */
export function upwards(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upwards(above)];
}
