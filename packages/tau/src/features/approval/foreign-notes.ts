// What other tools' settings refuse in a way that Tau has no word for. It is said, so that nobody takes
// it for granted.

import { isForeignVerdict, isRecord, type Tree } from "./foreign-words.ts";

/** By source: a clause each. */
export const FOREIGN_NOTES: Readonly<Record<string, (file: Tree) => string[]>> = {
  claude: claudeNotes,
  opencode: openCodeNotes,
};

function claudeNotes({ permissions }: Tree): string[] {
  if (!isRecord(permissions) || permissions.defaultMode !== "plan") return [];
  return [
    "permissions.defaultMode: plan is not taken over; `tau --approval-mode always-ask` asks about every change",
  ];
}

function openCodeNotes({ permission, agent }: Tree): string[] {
  const usual = isRecord(agent) && isRecord(agent.build) ? agent.build.permission : undefined;
  return [permission, usual].flatMap((given) => {
    const word = isRecord(given) ? given.external_directory : undefined;
    return word === undefined || isForeignVerdict(word)
      ? []
      : ["permission.external_directory is taken over only as one word, not by pattern"];
  });
}
