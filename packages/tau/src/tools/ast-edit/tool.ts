// The ast_edit tool: works out a rewrite by structure and shows it. It writes nothing; the
// preview it leaves waits for resolve.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import type { RewriteOperation } from "@tau/host/syntax/structural-rewrite";
import {
  array,
  description,
  minLength,
  optional,
  pipe,
  strictObject,
  string,
  union,
} from "valibot";
import { RESOLVE } from "../pending-previews.ts";
import { count } from "../ast-grep/count.ts";
import { findSources } from "../ast-grep/find-sources.ts";
import { readLanguage } from "../ast-grep/structural-query.ts";
import type { Workspace } from "../workspace.ts";
import { applyRewrite } from "./apply-rewrite.ts";
import { planRewrite, type RewritePlan } from "./plan-rewrite.ts";
import prompt from "./prompt.md" with { type: "text" };
import { rewriteIssues, showRewrite } from "./show-rewrite.ts";

/** The tool bounds itself below it, by files. */
const MAX_BYTES = 64 * 1024;
/** Of a pattern, in the few words by which a preview is known. */
const LABEL_CHARS = 60;

const parameters = strictObject({
  ops: pipe(
    array(
      strictObject({
        pat: pipe(string(), description("Code with holes: foo($A, $$$REST)")),
        out: pipe(string(), description("What it becomes: bar($A)")),
      }),
    ),
    minLength(1),
  ),
  paths: pipe(
    union([pipe(array(string()), minLength(1)), string()]),
    description("Files, directories or globs"),
  ),
  lang: optional(
    pipe(string(), description("Only this language; read files of other names as it")),
  ),
});

export function createAstEditTool(workspace: Workspace): Tool {
  return defineTool({
    name: "ast_edit",
    description: prompt.trim(),
    parameters,
    // It only shows; whoever must be asked is asked when the preview is applied.
    tier: "read",
    concurrency: "shared",
    limits: { bytes: MAX_BYTES, lines: Number.MAX_SAFE_INTEGER, keep: "head" },
    async execute({ ops, paths, lang }, { signal }) {
      refuseRepeated(ops);
      const language = readLanguage(lang);
      const sources = await findSources(workspace, { paths, language, signal });
      const wish = { operations: ops, paths: sources.paths, language, signal };
      const plan = await planRewrite(workspace, wish);
      const issues = rewriteIssues(workspace, plan, sources);
      if (plan.changes.length === 0) {
        const rows = ["No replacements made", ...issues];
        return textOutput(rows.join("\n"), detailsOf(plan));
      }
      const shown = await showRewrite(workspace, plan);
      const { changes, replacements } = plan;
      const id = workspace.files.previews.push({
        label: labelOf(ops, plan),
        sourceTool: "ast_edit",
        writes: changes.map(({ path }) => path),
        apply: (_reason, context) =>
          applyRewrite(workspace, { changes, replacements }, context.signal),
      });
      const next = `Nothing is written yet. Call ${RESOLVE} to apply or discard it (${id}).`;
      return textOutput([shown, [...issues, next].join("\n")].join("\n\n"), {
        ...detailsOf(plan),
        preview: id,
      });
    },
  });
}

function refuseRepeated(operations: readonly RewriteOperation[]): void {
  const seen = new Set<string>();
  for (const [at, { pat }] of operations.entries()) {
    const pattern = pat.trim();
    if (pattern === "") {
      throw new ToolError(`ops[${at}].pat is empty: write the code to look for.`);
    }
    if (seen.has(pattern)) {
      throw new ToolError(`ops[${at}].pat is there twice: ${pattern}. Give each pattern once.`);
    }
    seen.add(pattern);
  }
}

function labelOf(operations: readonly RewriteOperation[], plan: RewritePlan): string {
  const [first] = operations;
  const pattern = first!.pat.trim().replaceAll(/\s+/g, " ");
  const short = pattern.length > LABEL_CHARS ? `${pattern.slice(0, LABEL_CHARS)}…` : pattern;
  const others = operations.length > 1 ? ` and ${operations.length - 1} more` : "";
  const size = `${count(plan.replacements, "replacement")} in ${count(plan.changes.length, "file")}`;
  return `rewrite ${short}${others}: ${size}`;
}

function detailsOf({ changes, replacements, end, limitReached }: RewritePlan) {
  return {
    applied: false,
    totalReplacements: replacements,
    filesTouched: changes.length,
    filesSearched: end.files,
    limitReached,
    fileReplacements: changes.map(({ path, edits }) => ({ path, count: edits.length })),
  };
}
