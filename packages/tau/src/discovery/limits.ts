// How much is looked at, at most. Real projects have dozens of items; whatever exceeds these is a
// mistake or an attack, and must not hold up a start.

/** Items of all kinds together. */
export const MAX_ITEMS = 2000;
/** Entries of one directory, or of one file with several items. */
export const MAX_ENTRIES = 1000;
/** Directories above the working directory. */
export const MAX_ANCESTORS = 64;
/** Levels below a `**`. */
export const MAX_NESTING = 4;
/** Frontmatter is a few lines; this is the part of a file that is read to find it. */
export const MAX_FRONTMATTER_BYTES = 64 * 1024;
/** The text of a skill, rule or command, which a model is to read. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** A file with several items. One tool keeps its whole state in such a file. */
export const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
/** For everything. A directory on a dead network share may never answer. */
export const DEADLINE_MS = 10_000;
