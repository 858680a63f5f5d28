// Shells whose language is not bash: fish, PowerShell, nu, elvish, xonsh, csh, rc; and what only zsh
// means by bash's signs. Their text is judged as bash for what it shows; beyond that, somebody is asked
// unless it is plainly a command or a pipeline of known commands.

import { addTargets, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { takeOver } from "../judge-unknown.ts";
import { noteWords } from "../note-code.ts";
import { judgeFile, judgeLoaded } from "./run-file.ts";

interface OtherShell {
  /** Options that have a script behind them. */
  script: RegExp;
  /** Options that have a file behind them which is written. */
  writes?: RegExp;
  /** Options that have a file of code behind them. */
  files?: RegExp;
  /** Options that take a value which does not matter. */
  valued?: RegExp;
  hides?: RegExp;
  isPlain: (call: CommandCall, text: string) => boolean;
  /** Its commands are not those of bash. */
  isForeign?: boolean;
}

const OPEN = "its script is not bash, and may run or keep something";
/** Words that run what they are given, or that are still there for the next shell. */
const KEEPING =
  /(?:^|[;|&\n({]|\b(?:and|or|not|begin|do|then|else|time|builtin|command)\s)\s*(?:source|\.|eval|alias|abbr|bind|complete|history|functions?|funcsave|funced|trap|hash|exec|emit|unalias|onintr|sched|del|edit:\S+|use|fn|def|import|aliases|source-\w+|xontrib|vox|set(?:env)?\s+(?:-\w*[U]\w*|--universal)|set\s+\S*\s*(?:-\w*U|--universal)|set(?:env)?\s+(?:-\w+\s+)*(?:fish_\w+|PATH|path))(?=\s|$|;)/;

/** Words, options and quotes; nothing that another shell reads in its own way. */
function isPlainText(_: CommandCall, text: string): boolean {
  const bare = text.replace(/'[^'\n]*'|"[^"$`\n]*"/g, "q");
  return (
    !KEEPING.test(text) &&
    !/[()^`<\\]|[>]\s*[?!&|]|\?>|\$\(|@\(|!\(|\bpsub\b/.test(bare) &&
    !/^\s*[-+=!@%]/.test(bare)
  );
}

const PLAIN_CMDLET =
  /^(?:(?:Get|Select|Sort|Where|Format|Measure|Compare|Group|Test|Resolve|Join|Split|ConvertTo|ConvertFrom|Show)-\w+|ForEach-Object|Out-(?:String|Null|Default|Host)|Write-(?:Output|Host|Verbose|Information|Warning|Error)|Import-Csv|Invoke-(?:Pester|ScriptAnalyzer|Build)|Import-Module|Set-Location|Set-StrictMode|gci|gc|gi|gm|gp|gps|gsv|gcm|gv|gal|ls|dir|cat|type|echo|pwd|cd|select|where|sort|measure|ft|fl|fw|group|foreach|oh|write|exit|return|cls|clear|sls|\?|%)$/i;
const RISKY_ALIAS =
  /^(?:rm|ri|del|erase|rd|rmdir|mv|mi|move|cp|copy|cpi|ni|md|mkdir|sc|ac|clc|cli|sp|si|sv|iex|icm|iwr|irm|curl|wget|saps|start|kill|spps|sal|nal|set|ren|rni|rnp|rp|sajb|sasv|spsv|ii|ipmo|epcsv|epal|tee|trap|mount|ndr|rdr|rmo|gcim|scb)$/i;
const PLAIN_STATIC =
  /\[(?:System\.)?(?:Environment|Math|DateTime|datetime|guid|Guid|TimeZoneInfo|Runtime\.InteropServices\.RuntimeInformation|version|string|int|Globalization\.CultureInfo)\]::(?!Exit|SetEnvironmentVariable|FailFast)\w+/g;
const PLAIN_METHOD =
  /\.(?:ToString|ToUpper|ToLower|Trim|TrimEnd|TrimStart|Split|Replace|StartsWith|EndsWith|Contains|Substring|PadLeft|PadRight|IndexOf|AddDays|AddHours|GetType|Equals|Count)\(/g;

function isPlainPowerShell(call: CommandCall, text: string): boolean {
  const bare = text
    .replace(/'[^'\n]*'|"[^"$`\n]*"/g, "'q'")
    .replace(PLAIN_STATIC, "0")
    .replace(PLAIN_METHOD, ".x,(");
  if (
    /::|\.\w+\(|`|&(?!&)|\$\(|@\(|\$env:\w+\s*=|\b(?:iex|Invoke-Expression)\b|^\s*\.\s/i.test(bare)
  )
    return false;
  const blocks = bare.match(/\{[^{}]*\}/g) ?? [];
  if (blocks.some((block) => !/^\{\s*(?:[$'"\d(!-]|$)/.test(block) || /[;|]/.test(block)))
    return false;
  return bare
    .replace(/\{[^{}]*\}/g, "")
    .split(/&&|\|\||[|;\n]/)
    .every((part) => isPlainPart(call, part.trim()));
}

function isPlainPart(call: CommandCall, part: string): boolean {
  if (part === "") return true;
  if (/[<>]/.test(part.replace(/2>&1|2?>\s*\$null/g, ""))) return false;
  if (/^(?:\$[\w.:[\]]+(?:\s*=\s*)?|['"\d([])/.test(part)) {
    const value = /^\$[\w.:]+\s*=\s*(.*)$/s.exec(part)?.[1];
    return value === undefined ? !/[A-Z]\w+-[A-Z]/.test(part) : isPlainPart(call, value);
  }
  const head = /^\S+/.exec(part)![0];
  if (PLAIN_CMDLET.test(head)) return !/-(?:OutFile|FilePath|Force|PassThru|Script)\b/i.test(part);
  if (RISKY_ALIAS.test(head)) return false;
  const isOwn = /^\.[\\/]/.test(head) || call.walk.isProgram(head.toLowerCase());
  if (isOwn) call.walk.runText(call, part.replaceAll("\\", "/"));
  return isOwn;
}

const PLAIN_NU =
  /^(?:ls|where|get|sort-by|select|open|first|last|length|describe|to|from|str|split|lines|math|echo|print|sys|version|ps|which|help|group-by|uniq|uniq-by|columns|reject|range|wrap|table|into|format|date|find|skip|take|flatten|transpose|reverse|enumerate|is-empty|compact|values|count|histogram|du|pwd|cd|path|url|seq|glob|scope|debug)$/;

function isPlainNu(call: CommandCall, text: string): boolean {
  const bare = text.replace(/'[^'\n]*'|"[^"\n]*"/g, "'q'");
  if (/[;(){}\n^]|\bo>|\be>/.test(bare)) return false;
  return bare.split("|").every((part) => {
    const head = /^\s*(\S+)/.exec(part)?.[1] ?? "";
    if (PLAIN_NU.test(head)) return true;
    if (
      /^(?:rm|mv|cp|mkdir|touch|save|kill|http|exec|source|use|overlay|def|alias|let|mut|const|run-external|config|plugin|register|do|each|load-env|with-env|hide|input|ln)$/.test(
        head,
      )
    )
      return false;
    if (!call.walk.isProgram(head)) return false;
    call.walk.runText(call, part);
    return true;
  });
}

const POWERSHELL: OtherShell = {
  script: /^-{1,2}c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i,
  files: /^-{1,2}f(?:ile)?$/i,
  valued:
    /^-{1,2}(?:ExecutionPolicy|ex|ep|ExecutionP|WorkingDirectory|wd|OutputFormat|InputFormat|WindowStyle|w|Version|PSConsoleFile|SettingsFile|ConfigurationName|CustomPipeName)$/i,
  hides: /^-{1,2}e(?:nc?\w*)?$/i,
  isPlain: isPlainPowerShell,
  isForeign: true,
};
const C_SHELL: OtherShell = { script: /^-[a-zA-Z]*c$/, isPlain: isPlainText };

const OTHER_SHELL_ROWS: Readonly<Record<string, OtherShell>> = {
  fish: {
    script: /^(?:-[a-zA-Z]*[cC]|--command|--init-command)$/,
    writes: /^(?:-p|--profile|--profile-startup|-o|--debug-output)$/,
    valued: /^(?:-d|--debug|-f|--features|-D)$/,
    isPlain: isPlainText,
  },
  pwsh: POWERSHELL,
  powershell: POWERSHELL,
  nu: {
    script: /^(?:-c|--commands|-e|--execute)$/,
    files: /^--(?:config|env-config|plugin-config)$/,
    isPlain: isPlainNu,
    isForeign: true,
  },
  elvish: { script: /^-c$/, files: /^-rc$/, isPlain: isPlainText },
  xonsh: {
    script: /^-c$/,
    files: /^--rc$/,
    isPlain: (call, text) => isPlainText(call, text) && !/=|\bimport\b|\$\{|\bdel\b/.test(text),
  },
  tcsh: C_SHELL,
  csh: C_SHELL,
  rc: C_SHELL,
  oil: C_SHELL,
  ysh: C_SHELL,
  osh: C_SHELL,
  es: C_SHELL,
};

function judgeOtherShell(row: OtherShell): ProgramJudge {
  return (call) => {
    const { args, effects, input } = call;
    if (args.length === 1 && /^(?:--version|-v|-V|--help|-h)$/.test(args[0]!.text ?? "")) {
      effects.reads = true;
      return;
    }
    effects.executes = true;
    let isTold = false;
    let file: Field | undefined;
    for (let index = 0; index < args.length; index++) {
      const field = args[index]!;
      const text = field.text ?? field.prefix;
      const equals = /^(--?[\w-]+)=(.*)$/s.exec(text);
      const option = equals ? equals[1]! : text;
      const isValued = [row.script, row.writes, row.files, row.valued].some((each) =>
        each?.test(option),
      );
      const value = equals ? knownField(equals[2]!) : isValued ? args[++index] : undefined;
      if (row.hides?.test(option)) effects.unknown.push("its script hides what it does");
      if (row.script.test(option) && value) {
        isTold = true;
        // PowerShell takes all that follows for the script.
        const rest = row === POWERSHELL ? args.slice(index + 1) : [];
        judgeScript(call, row, joined([value, ...rest]));
        if (row === POWERSHELL) break;
      } else if (row.writes?.test(option) && value) addTargets(call, "overwrites", [value]);
      else if (row.files?.test(option) && value) judgeLoaded(call, value);
      else if (!text.startsWith("-")) {
        file = field;
        break;
      }
    }
    if (row === POWERSHELL && file && !isTold && !/\.ps1$/i.test(file.text ?? "")) {
      judgeScript(call, row, joined(args.slice(args.indexOf(file))));
      return;
    }
    if (file && !isTold) judgeFile(call, file);
    if (isTold || file) return;
    if (input.isDownload) effects.downloadsAndExecutes = true;
    else if (input.text !== undefined) judgeScript(call, row, knownField(input.text));
    else if (input.isPresent) effects.unknown.push("its script comes from elsewhere");
  };
}

function joined(fields: readonly Field[]): Field {
  const isKnown = fields.every((field) => exactText(field) !== undefined);
  const text = fields.map(({ text: each, prefix }) => each ?? prefix).join(" ");
  return { ...fields[0]!, text: isKnown ? text : undefined, prefix: text };
}

function judgeScript(call: CommandCall, row: OtherShell, script: Field): void {
  const { effects, walk } = call;
  const text = exactText(script);
  if (script.isDownload) effects.downloadsAndExecutes = true;
  if (text === undefined) {
    effects.unknown.push("its script is only known when it runs");
    return;
  }
  // What this shell has set is not known there.
  const inner = { ...call, state: { ...call.state, variables: homeOf(call) } };
  if (row.isForeign) {
    takeOver(effects, walk.probeText(inner, text), false);
    noteWords(call, text);
  } else walk.runText(inner, text);
  if (!row.isPlain(inner, text)) effects.unknown.push(OPEN);
}

function homeOf({ state }: CommandCall): ReadonlyMap<string, Field> {
  return new Map([...state.variables].filter(([name]) => name === "HOME"));
}

/** Signs and words that zsh alone reads so. */
const ZSH_ONLY =
  /(?:^|[;&|({\n]|\b(?:then|do|else)\s)\s*(?:-(?=\s)|hash(?=\s)|zmodload|autoload|sched|zle|bindkey|compdef|add-zsh-hook|setopt\s+\S*(?:shwordsplit|globsubst)|disable|enable|emulate\s.*-c)|>>?[&]?!|(?:^|\s)=[A-Za-z]|[\w*?\]/]\([^()\s]*(?:e[^\w\s)]|\+\w)|\$\{\([^)]*[e%][^)]*\)|<\(\s*-|\bprecommand\b|\balias\s+-[gs]/;

export function judgeZsh({ effects }: CommandCall, text: string): void {
  if (ZSH_ONLY.test(text.replace(/'[^'\n]*'/g, "''")))
    effects.unknown.push("its script has words that only zsh knows");
}

/** `print -l *.ts(.om[1,5])`: zsh prints so, and says so which of the files, and in which order. */
export function withoutQualifiers(script: Field): Field {
  const text = script.text
    ?.replace(/(?<=[\w*?\]/])\([-./@=*%^rwxNDonOLmacahu[\],\d]+\)/g, "")
    .replace(/(^|[;&|\n]\s*)print(?=\s)(?!\s+-\w*[zsSup])/g, "$1echo");
  return text === undefined ? script : { ...script, text, prefix: text };
}

export const OTHER_SHELLS: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries(OTHER_SHELL_ROWS).map(([name, row]) => [name, judgeOtherShell(row)] as const),
);
