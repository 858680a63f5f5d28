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
  /** It runs the package that it is given: always, or with these words before it. */
  isRunner?: boolean;
  runs?: RegExp;
  /** Paths that it is given are on this machine: outside the project they are asked about. */
  isHere?: boolean;
  /** Others rely on what it is about: any word of loss asks. */
  isShared?: boolean;
  /** Whatever does not plainly look asks. */
  isClosed?: boolean;
}

/** What it installs stands in a directory of PATH, for whatever runs afterwards. */
export const INSTALLS = "installs or removes programs for everything on this machine";
export const CACHES = "deletes what other projects use as well";
export const PUBLISHES = "publishes to everybody";
/** With it they only say what they would do. */
export const TRIAL = /^--(?:dry-run|snapshot)(?:=(?!false|none).*)?$/;
export const LOGIN = "changes who is logged in";
export const CLOUD = "deletes from a cloud";
