// What installing a plugin may cost. A package comes from strangers: a few kilobytes can hold gigabytes.

const MIB = 1024 * 1024;

/** Larger than any plugin of note by an order of magnitude; a bomb ends here. */
export const MAX_PLUGIN_BYTES = 256 * MIB;
export const MAX_PLUGIN_FILES = 20_000;
/** With the packages that it needs. */
export const MAX_TREE_BYTES = 1024 * MIB;
export const MAX_TREE_FILES = 100_000;
export const MAX_DOWNLOAD_BYTES = 128 * MIB;
/** A repository with its packed history of one commit. */
export const MAX_REPOSITORY_BYTES = 512 * MIB;
/** What registries and marketplaces say is text. */
export const MAX_METADATA_BYTES = 32 * MIB;
export const DOWNLOAD_MS = 120_000;
export const GIT_MS = 180_000;
export const DEPENDENCIES_MS = 300_000;
/** Three times what the largest plugin of note needs; each costs a round trip and a directory. */
export const MAX_PACKAGES = 2_000;
/** Packages that need one another in turn would go on for ever. */
export const MAX_PACKAGE_DEPTH = 64;
