// What comes from models, tools and files is data: nothing of it may act on the terminal
// or turn the direction of what stands around it. What is harmful is `width.ts`'s to say;
// here it becomes lines.

import { expandTabs, sanitize } from "../width.ts";

/** One line without escapes, control characters, direction overrides or tabs. */
export const cleanLine = (line: string): string => expandTabs(sanitize(line)).replaceAll("\n", "");

export const cleanLines = (text: string): string[] => text.split(/\r\n|[\r\n]/).map(cleanLine);
