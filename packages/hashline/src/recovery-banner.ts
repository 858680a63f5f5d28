// What the model is told when a patch was written against an older state of a file and
// could still be applied. Three cases, because they call for different caution.

/**
 * `external`: somebody else changed the file since. `session_chain`: this session's own
 * edits did, and lines have moved. `session_replay`: they did, and the numbers still held.
 */
export type RecoveryKind = "external" | "session_chain" | "session_replay";

export const RECOVERY_BANNERS: Record<RecoveryKind, string> = {
  external:
    "The file was changed from outside since its tag was shown. The lines of this edit were unchanged and it was carried over; read the file before editing near the other changes.",
  session_chain:
    "The tag was from before an earlier edit of this session. The edit was carried over to where its lines are now; use the tag of the latest result next time.",
  session_replay:
    "The tag was from before an earlier edit of this session. The lines of this edit were unchanged and in place; use the tag of the latest result next time.",
};
