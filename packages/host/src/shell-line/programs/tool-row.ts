// What the tables say of a tool with subcommands.

export interface ToolRow {
  /** Options that take a value and may stand before the subcommand, without dashes. */
  globals?: string;
  /** These only look, if all their options are in `flags` and no repository's settings are obeyed. */
  looks?: RegExp;
  /** Options with which looking remains looking. */
  flags?: RegExp;
  /** These cannot be undone. Against the words, and against the words with their options. */
  critical?: readonly (readonly [pattern: RegExp, reason: string])[];
  sends?: RegExp;
  /** Values of these are directories or files that are written. */
  writes?: string;
  /** It talks to other machines in most of what it does. */
  isLocal?: boolean;
  /** It starts containers, with directories of this machine in them. */
  isContainer?: boolean;
  /** It runs the package that it is given. */
  isRunner?: boolean;
}

export const PUBLISHES = "publishes to everybody";
export const LOGIN = "changes who is logged in";
