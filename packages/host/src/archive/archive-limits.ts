// What reading an archive may cost. An archive is untrusted: a few kilobytes can claim, and
// even hold, petabytes.

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** The largest source trees and packages have some tens of thousands; an index entry is ~300 B. */
export const MAX_MEMBERS = 200_000;
/** One member is held in memory as a whole; what is larger is to be unpacked by a program. */
export const MAX_MEMBER_BYTES = 64 * MIB;
/** Deflate cannot do better than 1032:1, so a member that claims more is made to deceive. */
export const MAX_RATIO = 1032;
/** Stored sizes of tiny members say nothing about a ratio. */
export const RATIO_FREE_BYTES = MIB;
/** All of a tar has to be streamed to find a member; about ten seconds of it. */
export const MAX_TAR_BYTES = 4 * GIB;
/** A zip without 64-bit fields ends here; rewriting more would also take minutes. */
export const MAX_REWRITE_BYTES = 4 * GIB - 64 * MIB;
/** Names and fields of all members of a zip; it is parsed in memory. */
export const MAX_DIRECTORY_BYTES = 64 * MIB;
/** Longer names than any file system takes. */
export const MAX_NAME_BYTES = 16 * 1024;
/** Children that a listing shows. */
export const MAX_LISTED = 500;
