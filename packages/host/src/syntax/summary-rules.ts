// What a structural summary leaves out, as data. Names of nodes are nearly the same across
// grammars, so one table serves them all; where a name means different things, the parent
// decides.

/** Shorter bodies stay: the mark for an elision costs a line itself. */
export const MIN_BODY_LINES = 4;
/** Data is read for its shape: long literals keep their beginning. */
export const MIN_LITERAL_LINES = 12;
export const LITERAL_LINES_KEPT = 3;
/** Prose keeps what opens a section. */
export const MIN_PROSE_LINES = 6;
export const PROSE_LINES_KEPT = 4;
/** How deep nested data is shown before it is left out. */
export const DATA_DEPTH_KEPT = 2;
export const MIN_DATA_LINES = 6;
/** How deep elements of a page are shown. */
export const ELEMENT_DEPTH_KEPT = 3;

/** What a function does. */
export const BODIES = new Set([
  "accessor_list",
  "block",
  "body_statement",
  "code_block",
  "compound_statement",
  "computed_property",
  "constructor_body",
  "do_block",
  "do_group",
  "function_body",
  "indented_block",
  "lambda_literal",
  "raw_text",
  "statement_block",
  "switch_body",
]);

/** Whose body holds members, which the summary is about. */
export const HOLDERS = new Set([
  "class",
  "class_definition",
  "class_declaration",
  "decorated_definition",
  "internal_module",
  "media_statement",
  "module",
  "namespace_definition",
  "singleton_class",
  "supports_statement",
  "at_rule",
]);

/** Calls that only group: their callbacks hold members too. Matched on the line of the call. */
export const GROUPING_CALL =
  /^\s*(?:(?:describe|context|suite|group|feature)\b|(?:defmodule|defprotocol|defimpl)\s)/;

export const LITERALS = new Set([
  "array",
  "array_creation_expression",
  "array_expression",
  "array_literal",
  "collection_literal",
  "comment",
  "block_comment",
  "multiline_comment",
  "dictionary",
  "dictionary_literal",
  "hash",
  "heredoc_body",
  "initializer_list",
  "list",
  "list_literal",
  "literal_value",
  "object",
  "raw_string_literal",
  "set_or_map_literal",
  "statement",
  "string",
  "string_literal",
  "table",
  "table_constructor",
  "template_string",
]);

/** A literal with one of these is shown for it: functions in a table, columns of a table. */
export const MEMBERS_IN_LITERALS = new Set([
  "create_table",
  "create_type",
  "do_block",
  "function_body",
  "lambda_literal",
  "statement_block",
]);

/** Grammars without a node for the body: everything after the first line is it. */
export const HEADED_BY_FIRST_LINE: Readonly<Record<string, ReadonlySet<string>>> = {
  haskell: new Set(["function", "bind"]),
};

/** Languages of nested data, with what counts as one level. */
export const DATA_LEVELS: Readonly<Record<string, ReadonlySet<string>>> = {
  json: new Set(["object", "array"]),
  yaml: new Set(["block_mapping", "block_sequence"]),
};
