// How programs of Tau's own that read what others have made (parsers, converters, searches) come into a
// sandbox: whoever starts one is given this, and says what the program is to see.

import { ownCode } from "./own-programs.ts";

export interface ReaderGiven {
  reads: readonly string[];
  writes?: readonly string[];
  /** Where the program is started, if it goes by that. */
  cwd?: string;
}

/** The command, confined to what it is given. */
export type ConfineReader = (argv: readonly string[], given: ReaderGiven) => Promise<string[]>;

/** As it is, if nobody confines. `isOwn`: the program is Tau itself, which has to read its own code. */
export async function confinedReader(
  argv: readonly string[],
  given: ReaderGiven & { isOwn: boolean },
  confine: ConfineReader | undefined,
): Promise<string[]> {
  if (!confine) return [...argv];
  const { isOwn, reads, writes, cwd } = given;
  const code = isOwn ? ownCode() : [argv[0]!];
  return confine(argv, { reads: [...code, ...reads], writes, cwd });
}
