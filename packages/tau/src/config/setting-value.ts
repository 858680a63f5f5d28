// Whether a value fits a row, and how a word on the command line becomes a value.

import type { SettingRow } from "./setting.ts";

export type Fitted = { ok: true; value: unknown } | { ok: false; why: string };

/** From a file: the value has a type already. */
export function fitValue(row: SettingRow, given: unknown): Fitted {
  switch (row.type) {
    case "boolean":
      if (typeof given === "boolean") return ok(given);
      return typeof given === "string" && parseBoolean(given) !== undefined
        ? ok(parseBoolean(given))
        : no("expected true or false");
    case "number":
      return fitNumber(row, given);
    case "text":
      if (typeof given === "string") return ok(given);
      return typeof given === "number" ? ok(String(given)) : no("expected text");
    case "enum": {
      const word = typeof given === "boolean" ? (given ? "on" : "off") : given;
      if (typeof word !== "string") return no(`expected one of ${row.values.join(", ")}`);
      const value = row.aliases?.[word] ?? row.values.find((known) => known === word);
      return value === undefined ? no(`expected one of ${row.values.join(", ")}`) : ok(value);
    }
    case "list":
      return Array.isArray(given) ? ok(given) : no("expected a list");
    case "record": {
      const isRecord = typeof given === "object" && given !== null && !Array.isArray(given);
      return isRecord ? ok(given) : no("expected a map of names to values");
    }
  }
}

/** From the command line or the environment: everything is a word. */
export function parseValue(row: SettingRow, word: string): Fitted {
  const given = word.trim();
  switch (row.type) {
    case "boolean": {
      const value = parseBoolean(given);
      return value === undefined ? no("expected true or false") : ok(value);
    }
    case "number":
      return given === "" ? no("expected a number") : fitNumber(row, Number(given));
    case "text":
    case "enum":
      return fitValue(row, given);
    case "list":
    case "record": {
      const form = row.type === "list" ? '["a", "b"]' : '{"a": "b"}';
      try {
        const fitted = fitValue(row, JSON.parse(given));
        return fitted.ok ? fitted : no(`expected JSON, as in ${form}`);
      } catch (error) {
        if (error instanceof SyntaxError) return no(`expected JSON, as in ${form}`);
        throw error;
      }
    }
  }
}

const TRUE = new Set(["true", "yes", "on", "1"]);
const FALSE = new Set(["false", "no", "off", "0"]);

/** The one spelling of yes and no, in files, flags and variables. */
export function parseBoolean(word: string): boolean | undefined {
  const lower = word.trim().toLowerCase();
  if (TRUE.has(lower)) return true;
  return FALSE.has(lower) ? false : undefined;
}

function fitNumber(row: Extract<SettingRow, { type: "number" }>, given: unknown): Fitted {
  if (typeof given !== "number" || !Number.isFinite(given)) return no("expected a number");
  const { min, max } = row;
  if (min !== undefined && given < min) return no(`expected a number of at least ${min}`);
  if (max !== undefined && given > max) return no(`expected a number up to ${max}`);
  return ok(given);
}

function ok(value: unknown): Fitted {
  return { ok: true, value };
}

function no(why: string): Fitted {
  return { ok: false, why };
}
