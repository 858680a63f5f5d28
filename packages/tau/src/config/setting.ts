// What a setting is: a row with a type, a default and a sentence. Validation, the command line,
// the reference page and the settings screen are all made from rows; a feature keeps its own
// beside its code.

export interface BooleanRow {
  type: "boolean";
  default: boolean;
  help: string;
  scope?: SettingScope;
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
}

export interface TextRow {
  type: "text";
  /** Empty means unset. */
  default: string;
  help: string;
  scope?: SettingScope;
}

export interface EnumRow<V extends string = string> {
  type: "enum";
  values: readonly V[];
  default: V;
  help: string;
  /** Words of older versions and of the family whose settings open here. */
  aliases?: Readonly<Record<string, V>>;
  scope?: SettingScope;
}

export interface ListRow {
  type: "list";
  default: readonly unknown[];
  help: string;
  scope?: SettingScope;
}

export interface RecordRow {
  type: "record";
  default: Readonly<Record<string, unknown>>;
  help: string;
  scope?: SettingScope;
}

/**
 * `user`: counts only from the user's own files, flags and environment, because it decides what
 * runs, where requests go or what is asked; a cloned repository has no say in it.
 */
export type SettingScope = "any" | "user";

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
