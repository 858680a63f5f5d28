// The text of a summary as the log keeps it: what the model wrote, then what does not depend
// on a model (the user's words, the constraints, the files). The parts are kept in `details`
// too, so that the next compaction carries them on without taking a text apart.

import type { CompactionEntry } from "../../session/entry.ts";
import { constraintsIn, renderConstraints } from "./constraints.ts";
import { FileOperations, type FileDetails } from "./file-operations.ts";
import { renderWords, type UserWords } from "./user-words.ts";

export interface SummaryDetails extends FileDetails {
  /** How much of the beginning of the summary the model wrote. */
  narrativeChars: number;
  userWords: UserWords;
  constraints: string[];
}

export interface SummaryParts {
  narrative: string;
  words: UserWords;
  constraints: string[];
  files: FileOperations;
}

export function composeSummary(parts: SummaryParts): { summary: string; details: SummaryDetails } {
  const { narrative, words, constraints, files } = parts;
  const appended = [renderWords(words), renderConstraints(constraints), files.render()];
  return {
    summary: [narrative, ...appended].filter((part) => part !== "").join("\n\n"),
    details: {
      narrativeChars: narrative.length,
      userWords: words,
      constraints,
      ...files.details(),
    },
  };
}

/** What an earlier compaction remembers. */
export interface Memory {
  narrative: string;
  constraints: string[];
  /** Only ours; an extension's details mean what the extension says. */
  details: unknown;
}

export function recall(previous: CompactionEntry | undefined): Memory {
  if (!previous) return { narrative: "", constraints: [], details: undefined };
  const details = previous.fromExtension ? undefined : previous.details;
  const chars = (details as Partial<SummaryDetails> | null | undefined)?.narrativeChars;
  const narrative =
    typeof chars === "number"
      ? previous.summary.slice(0, chars)
      : withoutFileLists(previous.summary);
  return { narrative: narrative.trim(), constraints: constraintsIn(details), details };
}

/** Older summaries end in lists that are made anew. */
function withoutFileLists(summary: string): string {
  return summary.replaceAll(/<(files|read-files|modified-files)>[\s\S]*?<\/\1>/g, "");
}

/** The files of an earlier compaction and of these entries. */
export function filesOf(
  memory: Memory,
  entries: Parameters<FileOperations["addEntries"]>[0],
): FileOperations {
  const files = new FileOperations();
  files.addDetails(memory.details);
  files.addEntries(entries);
  return files;
}
