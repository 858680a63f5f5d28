// Editors and debuggers in batch: their commands are languages that can do anything. Opening a file at
// a line, plain replacements and saving go by; so does looking at a program that has stopped.

import { addTargets, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeProgramValue } from "../judge-unknown.ts";
import { noteCode } from "../note-code.ts";
import { contentOf, judgeLoaded } from "./run-file.ts";

const OPEN = "its script may delete, write or run something";

/** Values of options: `--opt=value`, `--opt value`. */
export function valuesAfter(args: readonly Field[], option: RegExp): Field[] {
  return args.flatMap((field, index) => {
    const equals = /^(--?[\w-]+)[=:](.*)$/s.exec(field.text ?? field.prefix);
    if (equals && option.test(equals[1]!))
      return [
        { ...field, text: field.text === undefined ? undefined : equals[2]!, prefix: equals[2]! },
      ];
    return option.test(args[index - 1]?.text ?? "") ? [field] : [];
  });
}

const RANGE = String.raw`(?:%|[\d.$]+(?:,[\d.$+-]+)?|'<,'>|g!?/[^/]*/|v/[^/]*/)?\s*`;
const QUIET_EX = new RegExp(
  `^\\s*:?\\s*(?:${[
    String.raw`\+?\d*`,
    String.raw`\$`,
    String.raw`/[^|]*`,
    `${RANGE}(?:s|substitute)([/#,@]).*`,
    `${RANGE}(?:d|delete|>|<|j|join|p|print|nu|number|l|list|retab!?|sort[!\\sinux/]*|t\\S*|m\\S*|y|yank|=|center|left|right|k\\w)`,
    String.raw`(?:norm(?:al)?!?)\s+[^:!\x12\x0b@]*`,
    String.raw`(?:q|qa|qall|quit|wq|wqa|wqall|x|xa|xall|w|wa|wall|up|update|cq|cquit|bn|bp|bd|e)!?`,
    String.raw`(?:set?|setlocal|setl|setglobal)\s+(?!\S*(?:shell|exrc|prg|expr|func|runtimepath|rtp|packpath|verbosefile|backupdir|directory|undodir|viewdir|tags|dictionary|viminfo|statusline|tabline|modeline|secure|luadll|pythondll))[\w?&=:!,.+\s-]*`,
    String.raw`(?:syntax|syn|filetype|ft|colorscheme|colo|version|ve|scriptnames|messages|mes|help|h|checkhealth|diffthis|diffsplit|vsplit|split|sp|vs|tabnew|only|edit|noh|nohlsearch|redraw!?|file|args|ls|buffers|marks|registers|jumps|undo|redo|cd \.|gg|G)\b[\w\s.,/=+-]*`,
    String.raw`echo(?:m|msg)?\s+(?:[\w:&$'" .,+-]|v:version|has\()*\)?`,
  ].join("|")})\\s*$`,
  "s",
);

export function judgeVim(call: CommandCall): void {
  const { args, effects, input } = call;
  const commands: Field[] = [...valuesAfter(args, /^(?:-c|--cmd|--remote-send|--remote-expr)$/)];
  for (const field of args)
    if (/^\+./.test(field.text ?? field.prefix))
      commands.push({ ...field, text: field.text?.slice(1), prefix: field.prefix.slice(1) });
  for (const { text } of commands) {
    if (text === undefined) effects.unknown.push("its command is only known when it runs");
    else judgeEx(call, text);
  }
  for (const file of valuesAfter(args, /^(?:-S|-s|-l|-u|-U|-i|-W|-w)$/)) {
    if (/^(?:NONE|NORC|DEFAULTS)$/.test(file.text ?? "")) continue;
    const option = args[args.indexOf(file) - 1]?.text ?? "";
    if (/^-[wW]$/.test(option)) addTargets(call, "overwrites", [file]);
    else {
      judgeLoaded(call, file);
      if (option === "-S" || option === "-s") judgeLines(call, contentOf(call, file) ?? "");
    }
  }
  const isBatch =
    args.some(({ text }) => /^-(?:es|e|s|E|Es)$/.test(text ?? "")) ||
    /^(?:ex|ed|red)$/.test(call.name);
  if (isBatch && input.text !== undefined) judgeLines(call, input.text);
}

/** Lines between `a`, `i`, `c` and a dot are text. */
function judgeLines(call: CommandCall, text: string): void {
  let isInserting = false;
  for (const line of text.split("\n")) {
    if (isInserting) isInserting = line !== ".";
    else if (/^\s*(?:[\d.$,]+)?\s*[aic]\s*$/.test(line)) isInserting = true;
    else judgeEx(call, line);
  }
}

function judgeEx(call: CommandCall, text: string): void {
  const { effects } = call;
  const target =
    /^\s*(?:[%\d,.$]*)\s*(?:w|write|sav|saveas|up|update|wq|x)!?\s+(?:>>\s*)?([^\s!|].*)$/.exec(
      text,
    )?.[1];
  if (target !== undefined) {
    addTargets(call, "overwrites", [
      knownField(target.trim().replace(/^~(?=\/)/, call.context.home)),
    ]);
    return;
  }
  const piped = /^\s*(?:[%\d,.$]*)\s*(?:r|w|read|write)?\s*!\s*(.+)$/s.exec(text)?.[1];
  if (piped !== undefined) judgeProgramValue(call, knownField(piped));
  const inner =
    /^\s*(?:argdo|bufdo|windo|tabdo|silent!?|sil!?|keepp\w*|noautocmd|noa)\s+(.*)$/s.exec(
      text,
    )?.[1];
  if (inner !== undefined) return judgeEx(call, inner);
  const isReplacing = /^\s*:?[^a-z]*s[/#,@]/.test(text);
  const parts = isReplacing
    ? text.split(/(?<=[/#,@][gceiInp&]*)\s*\|\s*(?=[a-z%])/)
    : text.split(/\s*\|\s*/);
  if (parts.length > 1) {
    for (const part of parts) judgeEx(call, part);
    return;
  }
  if (!QUIET_EX.test(text) || /\\=|[\x12]/.test(text)) effects.unknown.push(OPEN);
}

const QUIET_LISP =
  /^(?:message|princ|print|prin1|format|concat|progn|prog1|let\*?|setq|setq-default|if|when|unless|and|or|not|list|car|cdr|cons|nth|length|number-to-string|string-to-number|\+|-|\*|\/|=|<|>|<=|>=|1\+|1-|eq|equal|emacs-version|version|require|provide|quote|lambda|mapc|mapcar|dolist|dotimes|find-file|save-buffer|indent-region|untabify|tabify|point-min|point-max|goto-char|goto-line|kill-emacs|byte-compile-file|batch-byte-compile|checkdoc-file|add-to-list|org-babel-tangle|org-mode|org-html-export-to-html|org-latex-export-to-pdf|org-md-export-to-markdown|org-ascii-export-to-ascii|org-export-as|ert-run-tests-batch-and-exit|ert|delete-trailing-whitespace|mark-whole-buffer|while|cond|string=|upcase|downcase|split-string|mapconcat|identity|boundp|fboundp|featurep|toggle-debug-on-error|whitespace-cleanup|replace-string|replace-regexp|replace-regexp-in-string|re-search-forward|search-forward|replace-match|buffer-string|current-buffer|package-initialize|expand-file-name|file-exists-p|locate-library|display-warning|float-time|current-time|current-time-string)$/;

export function judgeEmacs(call: CommandCall): void {
  const { args, effects } = call;
  for (const { text } of valuesAfter(args, /^(?:--?eval|--execute|-e)$/)) {
    if (text === undefined) {
      effects.unknown.push("its script is only known when it runs");
      continue;
    }
    const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
    const heads = [...bare.matchAll(/(?:^|[^'])\(\s*([^\s()'"]+)/g)].map((match) => match[1]!);
    if (
      heads.some((head) => !QUIET_LISP.test(head)) ||
      /#'|,@|`\(|\bfuncall\b|\bapply\b/.test(bare)
    )
      effects.unknown.push(OPEN);
  }
  for (const file of valuesAfter(
    args,
    /^(?:-l|--load|--script|-x|--init-directory|-L|--directory)$/,
  ))
    judgeLoaded(call, file);
  for (const { text = "" } of valuesAfter(args, /^(?:-f|--funcall)$/))
    if (
      !/^(?:batch-byte-\S+|org-\S+|ert-\S+|checkdoc\S*|package-lint\S*|buttercup-\S+|batch-\S+|kill-emacs|elint-\S+|relint-batch)$/.test(
        text,
      )
    )
      effects.unknown.push(OPEN);
}

const QUIET_DEBUG =
  /^\s*(?:run|r|start|starti|bt|backtrace|where|info|i|thread|threads|t|frame|f|up|down|list|l|break|b|br|tbreak|tb|delete|disable|enable|continue|c|next|n|step|s|stepi|si|nexti|ni|finish|fin|until|quit|q|exit|kill|detach|attach|file|symbol-file|directory|disassemble|disas|di|x(?:\/\w+)?|display|undisplay|ptype|whatis|show|help|watch|rwatch|awatch|target|core-file|core|process|register|image|memory read|settings|breakpoint|br|type|version|set\s+(?:pagination|confirm|print|width|height|args|breakpoint|disassembly-flavor|follow-fork-mode|detach-on-fork|scheduler-locking|auto-load|sysroot|solib-search-path|substitute-path|environment|non-stop|verbose|listsize|history|language|backtrace|style|debuginfod|startup-with-shell|osabi|architecture|disable-randomization|var|variable|logging\s+(?:on|off|enabled))|handle|signal|catch|call-stack|maint(?:enance)?\s+info|thread apply|echo|printf|output|tui|layout|focus|refresh|winheight|bugreport|gui|script -h)\b[^|!]*$/;
const QUIET_PRINT =
  /^\s*(?:p|print|po|v|inspect|expr|expression|e|call)(?:\/\w+)?\s+(?!.*\b(?:system|exec\w*|popen|fork|unlink\w*|remove|rename|kill|fopen|open|dlopen|std::|write|shell)\s*\()[^|!]*$/;

/** gdb, lldb and their kin. */
export function judgeDebugger(call: CommandCall): void {
  const { args, effects, input } = call;
  const end = args.findIndex(({ text }) => text === "--args" || text === "--");
  const own = end < 0 ? args : args.slice(0, end);
  const isLldb = call.name.includes("lldb");
  const texts = valuesAfter(
    own,
    isLldb ? /^(?:-o|-O|-k|-K|--one-line\S*)$/ : /^--?(?:ex|eval-command|iex|init-eval-command)$/,
  );
  const lines = [...texts.map(({ text }) => text), ...(input.text?.split("\n") ?? [])];
  for (const line of lines) {
    if (line === undefined) effects.unknown.push("its command is only known when it runs");
    else if (line.trim() !== "") judgeDebug(call, line);
  }
  const files = isLldb ? /^(?:-s|-S|--source\S*)$/ : /^--?(?:x|command|ix|init-command)$/;
  for (const file of valuesAfter(own, files)) {
    judgeLoaded(call, file);
    for (const line of (contentOf(call, file) ?? "").split("\n"))
      if (line.trim() !== "" && !/^\s*#/.test(line)) judgeDebug(call, line);
  }
}

function judgeDebug(call: CommandCall, line: string): void {
  const shell = /^\s*(?:shell|!|platform shell|make)\s*(.*)$/s.exec(line)?.[1];
  const python = /^\s*(?:python3?|py|script)\s+(.*)$/s.exec(line)?.[1];
  if (shell !== undefined) judgeProgramValue(call, knownField(shell));
  else if (python !== undefined) {
    noteCode({ ...call, name: "python3" }, python);
    if (/\bgdb\.execute|HandleCommand|\blldb\./.test(python)) call.effects.unknown.push(OPEN);
  } else if (!QUIET_DEBUG.test(line) && !QUIET_PRINT.test(line) && !/^\s*thread apply/.test(line))
    call.effects.unknown.push(OPEN);
}
