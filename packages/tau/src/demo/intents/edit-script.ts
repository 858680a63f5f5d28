// The shell scripts that change files. Finding, cutting and joining is done by the shell
// itself on the exact bytes (no sed, no perl, whose dialects differ from system to
// system); `cmp` only proves that the shell read and wrote what it should have. Each
// script either does exactly what was asked and says `done`, or says why not and leaves
// every byte as it was. They run on bash 3.2, the last one that macOS ships.

import { shellQuote } from "../shell-quote.ts";

/** Shell strings are slow beyond this, and a small edit has no business in larger files. */
export const MAX_FILE_BYTES = 64 * 1024;
/** A bound on time: the shell copies the text once per replacement. */
export const MAX_REPLACEMENTS = 2_000;

const REPORT = "tau-edit:";

export type EditReport = { done: true; count: number } | { done: false; reason: string };

export function parseReport(output: string): EditReport | undefined {
  const found = /^tau-edit: (?:done (\d+)|refused ([\w-]+))$/m.exec(output);
  if (found === null) return undefined;
  return found[1] === undefined
    ? { done: false, reason: found[2]! }
    : { done: true, count: Number(found[1]) };
}

// In the C locale a character is a byte, so lengths and cuts are exact for any encoding.
// The subshell keeps this, and all variables, out of a shell that may live on.
function script(path: string, body: string): string {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  return `( # A small edit: exact, or refused.
LC_ALL=C
file=./${shellQuote(path)}
refuse() { printf '%s\\n' "${REPORT} refused $1"; exit 0; }
# The folder must lie in the working directory also after following links.
root=$(pwd -P)
folder=$(cd -P -- ./${shellQuote(folder)} 2>/dev/null && pwd -P) || refuse no-folder
case $folder/ in "\${root%/}"/*) ;; *) refuse outside ;; esac
[ ! -L "$file" ] || refuse link
${body}
)`;
}

const OPEN = `[ -e "$file" ] || refuse missing
[ -f "$file" ] || refuse not-a-file
[ -r "$file" ] && [ -w "$file" ] || refuse not-writable
# Success means that a NUL or the limit came before the end of the file.
if IFS= read -r -d '' -n ${MAX_FILE_BYTES + 1} text <"$file"; then
  [ \${#text} -le ${MAX_FILE_BYTES} ] || refuse too-large
  refuse binary
fi
printf '%s' "$text" | cmp -s - "$file" || refuse inexact`;

const SAVE = `if ! { printf '%s' "$out" >"$file" && printf '%s' "$out" | cmp -s - "$file"; }; then
  printf '%s' "$text" >"$file"
  refuse not-written
fi
printf '%s\\n' "${REPORT} done $count"`;

export function replaceScript(edit: {
  path: string;
  old: string;
  text: string;
  everywhere: boolean;
}): string {
  // Counting from one byte after the first match also catches matches that overlap it.
  const single = `case \${text:\${#before}+1} in *"$old"*) refuse many ;; esac`;
  return script(
    edit.path,
    `old=${shellQuote(edit.old)}
new=${shellQuote(edit.text)}
${OPEN}
rest=$text out= same= count=0
while :; do
  case $rest in *"$old"*) ;; *) break ;; esac
  before=\${rest%%"$old"*}
${edit.everywhere ? "" : `  ${single}\n`}  out=$out$before$new
  same=$same$before$old
  rest=\${rest:\${#before}+\${#old}}
  count=$((count + 1))
  [ $count -le ${MAX_REPLACEMENTS} ] || refuse too-many
done
[ $count -gt 0 ] || refuse absent
[ "$same$rest" = "$text" ] || refuse inexact
out=$out$rest
${SAVE}`,
  );
}

export function appendScript(edit: { path: string; text: string }): string {
  return script(
    edit.path,
    `line=${shellQuote(edit.text)}
${OPEN}
eol=$'\\n' count=1
case $text in *$'\\r\\n'*) eol=$'\\r\\n' ;; esac
# A file without a final line end stays without one.
case $text in
  '' | *$'\\n') out=$text$line$eol ;;
  *) out=$text$eol$line ;;
esac
${SAVE}`,
  );
}

export function createScript(edit: { path: string; text: string }): string {
  const whole = edit.text === "" || edit.text.endsWith("\n") ? edit.text : `${edit.text}\n`;
  return script(
    edit.path,
    `[ ! -e "$file" ] || refuse exists
out=${shellQuote(whole)}
# The shell itself refuses to write over a file that appears meanwhile.
set -C
printf '%s' "$out" >"$file" || refuse not-written
printf '%s\\n' "${REPORT} done 1"`,
  );
}
