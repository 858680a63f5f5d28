// What a setting is: a row with a type, a default and a sentence. Validation, the command line,
// the reference page and the settings screen are all made from rows; a feature keeps its own
// beside its code.

export interface BooleanRow {
  type: "boolean";
  default: boolean;
  help: string;
  scope?: SettingScope;
  guards?: Guard;
}

export interface NumberRow {
  type: "number";
  default: number;
  help: string;
  min?: number;
  max?: number;
  /** Said in the reference: `ms`, `tokens`, `KB`. */
  unit?: string;
  scope?: SettingScope;
  guards?: Guard;
}

export interface TextRow {
  type: "text";
  /** Empty means unset. */
  default: string;
  help: string;
  scope?: SettingScope;
  guards?: Guard;
}

export interface EnumRow<V extends string = string> {
  type: "enum";
  values: readonly V[];
  default: V;
  help: string;
  /** Words of older versions and of the family whose settings open here. */
  aliases?: Readonly<Record<string, V>>;
  scope?: SettingScope;
  guards?: Guard;
}

export interface ListRow {
  type: "list";
  default: readonly unknown[];
  help: string;
  scope?: SettingScope;
  guards?: Guard;
}

export interface RecordRow {
  type: "record";
  default: Readonly<Record<string, unknown>>;
  help: string;
  scope?: SettingScope;
  guards?: Guard;
}

/**
 * `user`: counts only from the user's own files, flags and environment, because it decides what
 * runs, where requests go or what is asked; a cloned repository has no say in it.
 */
export type SettingScope = "any" | "user";

/**
 * A row that guards: if what the user said here is lost, something runs, is reached or leaves the
 * machine that they had shut out. Other values that cannot be understood are left out; of these the
 * strictest is taken (they fail closed), and somebody is told.
 */
export interface Guard {
  /**
   * What it decides. `consent`: what is asked about. `tool`: what a tool can do; asking about every call
   * makes up for it. `confinement`: where consent does not help, because a call that somebody agrees to
   * would run unconfined, or show a secret.
   */
  kind: "consent" | "tool" | "confinement";
  /** Taken for a value that does not fit. Absent if no value would do: then calls are asked about. */
  closed?: unknown;
  /** The only tool whose calls are asked about then; all of them if absent. */
  tool?: string;
  /**
   * What of a value only shuts out more than the default does: all that is taken from another program's
   * settings. Absent: the closed value alone.
   */
  stricter?(value: unknown): unknown;
  /** What is wrong inside a value of the right type. */
  check?(value: unknown): Promise<readonly LostPart[]>;
}

/** A part of a value that counts for nothing. */
export interface LostPart {
  /** Inside of the value. */
  path: readonly (string | number)[];
  message: string;
  /**
   * Whose calls it may have been about; all of them if `any`, none if `none`: then it is only told. All of
   * them, too, unless the session has the tool that it names.
   */
  calls: { tool: string } | { unlessTool: string } | "any" | "none";
}

/** `{bash:deny}`: to YAML, a name without a value. */
export function missingBlank(meant: string): string {
  return `a space is missing after the colon: \`${meant}\``;
}

export type SettingRow = BooleanRow | NumberRow | TextRow | EnumRow | ListRow | RecordRow;

export type ValueOf<R extends SettingRow> = R extends BooleanRow
  ? boolean
  : R extends NumberRow
    ? number
    : R extends EnumRow<infer V>
      ? V
      : R extends TextRow
        ? string
        : R extends ListRow
          ? readonly unknown[]
          : Readonly<Record<string, unknown>>;

export function flag(fallback: boolean, help: string, more: Partial<BooleanRow> = {}): BooleanRow {
  return { type: "boolean", default: fallback, help, ...more };
}

export function amount(fallback: number, help: string, more: Partial<NumberRow> = {}): NumberRow {
  return { type: "number", default: fallback, help, ...more };
}

export function text(fallback: string, help: string, more: Partial<TextRow> = {}): TextRow {
  return { type: "text", default: fallback, help, ...more };
}

export function oneOf<const V extends string>(
  values: readonly V[],
  fallback: NoInfer<V>,
  help: string,
  more: Partial<EnumRow<V>> = {},
): EnumRow<V> {
  return { type: "enum", values, default: fallback, help, ...more };
}

export function list(help: string, more: Partial<ListRow> = {}): ListRow {
  return { type: "list", default: [], help, ...more };
}

export function map(help: string, more: Partial<RecordRow> = {}): RecordRow {
  return { type: "record", default: {}, help, ...more };
}
