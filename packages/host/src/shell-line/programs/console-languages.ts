// Code of the project's own language on a command line: consoles of frameworks, templates, modules of
// Python, scripts on the input of a runner.

import { addTargets, type CommandCall } from "../command-call.ts";
import { noteClosedCode } from "../closed-code/judge-closed.ts";
import { noteCode } from "../note-code.ts";
import { valuesAfter } from "./editor-languages.ts";

const OPEN = "its script may delete, write or run something";

export function judgeErb(call: CommandCall): void {
  const { text, isPresent, isDownload } = call.input;
  const files = call.args.filter((field) => !field.text?.startsWith("-"));
  if (files.length > 0) return;
  if (isDownload) call.effects.downloadsAndExecutes = true;
  else if (text !== undefined) {
    const code = [...text.matchAll(/<%[=-]?([^]*?)-?%>/g)].map((match) => match[1]).join("\n");
    noteClosedCode(call, "ruby", code);
  } else if (isPresent) call.effects.unknown.push("its script comes from elsewhere");
}

export function judgeOsascript(call: CommandCall): void {
  for (const { text = "" } of [...call.args, { text: call.input.text }])
    if (
      /\$\.|ObjC\.|Application\(|\bdoShellScript\b|\bdo shell script\b|\bdelete\b|NSFileManager/.test(
        text,
      )
    )
      call.effects.unknown.push("its script drives other programs");
}

/** Consoles of frameworks: code of the project, told on the command line. */
export const LOSING =
  /\b(?:delete\w*|destroy\w*|truncate\w*|drop\w*|forceDelete|flush\w*|wipe|purge\w*|rm(?:_rf?)?!?|unlink|remove\w*|system|exec|shell_exec|eval|apply|send|constantize|File\.(?:rm|write|cp|rename)|FileUtils|update_all|System\.cmd|:os\.cmd|Code\.eval\w*|Port\.open|Repo\.(?:delete|query)\w*)\b\s*[!(.]?|`/;

export function judgeConsole(call: CommandCall): void {
  const { args, effects } = call;
  const words = args.map(({ text }) => text ?? "");
  const codes = [
    ...(words.includes("tinker") ? valuesAfter(args, /^--execute$/) : []),
    ...(call.name === "mix" ? valuesAfter(args, /^(?:-e|--eval)$/) : []),
    ...(call.name.endsWith("rails") && /^(?:runner|r)$/.test(words[0] ?? "") ? args.slice(1) : []),
  ];
  for (const { text } of codes) {
    if (text === undefined) effects.unknown.push("its script is only known when it runs");
    else if (/[\s(.]/.test(text) && !/^[\w./-]+\.(?:rb|exs?|php)$/.test(text) && LOSING.test(text))
      effects.unknown.push(OPEN);
  }
}

export function judgeUvInput(call: CommandCall): void {
  const words = call.args.map(({ text }) => text ?? "");
  if (words[0] !== "run" || !words.includes("-")) return;
  if (call.input.text !== undefined) noteCode({ ...call, name: "python3" }, call.input.text);
  else if (call.input.isPresent) call.effects.unknown.push("its script comes from elsewhere");
}

/** `dotnet fsi` with a script on its input, or `--exec` of one. */
export function judgeFsharp(call: CommandCall): void {
  if (call.args[0]?.text !== "fsi") return;
  const { text, isPresent } = call.input;
  if (
    text === undefined
      ? isPresent
      : /\bFile\b|Directory|Process|Socket|WebClient|HttpClient|DllImport|Reflection/.test(text)
  )
    call.effects.unknown.push(OPEN);
}

/** Modules of Python that write or serve what they are told. */
export function judgePythonModules(call: CommandCall): void {
  const { args, effects, input } = call;
  const at = args.findIndex(({ text }) => text === "-m");
  const module = args[at + 1]?.text ?? "";
  if (at < 0) return;
  const rest = args.slice(at + 2);
  const operands = rest.filter(({ text }) => !text?.startsWith("-"));
  if (/^(?:cProfile|profile)$/.test(module))
    addTargets(call, "overwrites", valuesAfter(rest, /^(?:-o|--outfile)$/));
  if (module === "trace")
    addTargets(call, "overwrites", valuesAfter(rest, /^(?:-C|--coverdir|-f|--file)$/));
  if (module === "json.tool") addTargets(call, "overwrites", operands.slice(1, 2));
  if (module === "compileall") addTargets(call, "overwrites", operands);
  if (module === "zipapp") addTargets(call, "overwrites", valuesAfter(rest, /^(?:-o|--output)$/));
  if (module === "pickle") effects.unknown.push("it makes objects of bytes that may run something");
  if (/^(?:code|asyncio)$/.test(module) && input.text !== undefined) noteCode(call, input.text);
  if (module === "pdb")
    for (const { text } of valuesAfter(rest, /^-c$/))
      noteCode(call, (text ?? "").replace(/^!\s*/, ""));
  const isServer = /^(?:http\.server|smtpd|pyftpdlib|aiosmtpd|SimpleHTTPServer)$/.test(module);
  if (isServer && rest.some(({ text }) => /^(?:0\.0\.0\.0|::)/.test(text ?? "")))
    effects.critical.push("opens this machine to others");
}
