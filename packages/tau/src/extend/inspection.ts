// What an extension registers, by name: for whoever looks before they use it.

export interface Inspection {
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly flags: readonly string[];
  /** By their whole keys. */
  readonly settings: readonly string[];
  readonly shortcuts: readonly string[];
  /** The hook points, or for the family's extensions the events, that it listens to. */
  readonly handlers: readonly string[];
  /** Kinds of messages and entries that it draws itself. */
  readonly renderers: readonly string[];
  readonly providers: readonly string[];
}

export const NOTHING: Inspection = {
  tools: [],
  commands: [],
  flags: [],
  settings: [],
  shortcuts: [],
  handlers: [],
  renderers: [],
  providers: [],
};
