// The names that a rename would change, in one place. Nothing is imported here: the
// fastest answers (`--version`) need only this file.

export const COMMAND = "tau";
export const PRODUCT = "Tau";
export const VERSION = "0.1.0";
/** Directory of Tau's own files in a project and, under the home directory, of a user's. */
export const CONFIG_DIRECTORY = ".tau";
