// What can go wrong with syntax trees and is nobody's bug: the language has no parser here,
// the text is not well formed, a pattern is not code. Each is a code to decide on and a
// sentence to show, never an exception.

export type SyntaxFailureCode =
  | "unknown_language"
  | "language_unavailable"
  | "engine_unavailable"
  | "too_large"
  | "too_slow"
  | "parser_crashed"
  | "aborted"
  | "no_such_line"
  | "blank_line"
  | "closing_line"
  | "no_block"
  | "syntax_error"
  | "bad_pattern"
  | "bad_rule"
  | "bad_template"
  | "overlapping_edits"
  | "unreadable_file"
  | "not_text";

export interface SyntaxFailure {
  code: SyntaxFailureCode;
  /** One sentence that says what to do next. */
  message: string;
  /** 1-based, where the failure has a place. */
  line?: number;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: SyntaxFailure };

export function succeed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function fail(
  code: SyntaxFailureCode,
  message: string,
  line?: number,
): { ok: false; failure: SyntaxFailure } {
  return { ok: false, failure: line === undefined ? { code, message } : { code, message, line } };
}
