// The words for PowerShell, from Windows' own 5.1 on. What it reads from its input it reads in whole
// lines, and what it runs shares that input: each command gets a process, whose input ends behind it.
// Commands travel as Base64, so that no quoting of theirs meets ours.

import type { CommandPlace, ShellDriver } from "./shell-driver.ts";

const STATE_END = "# end of the shell's state";
/** A line of input is bounded, and Base64 is a third longer. */
const MAX_INLINE_CHARACTERS = 2000;

export const POWERSHELL_DRIVER: ShellDriver = {
  name: "powershell",
  program: "powershell.exe",
  arguments: [
    "-NoLogo",
    "-NoProfile",
    "-NonInteractive",
    "-ExecutionPolicy",
    "Bypass",
    "-Command",
    "-",
  ],
  lifetime: "command",
  maxInlineCharacters: MAX_INLINE_CHARACTERS,
  fileSuffix: ".ps1",
  stateEnd: STATE_END,
  keepLine: "",
  readyLine: "",
  setup,
  restore: (statePath) => `. ${quotePowerShell(statePath)} *>$null\n`,
  enter: (directory) => `Set-Location -LiteralPath ${quotePowerShell(directory)}\n`,
  command: (command, token, place) =>
    runLine(
      `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${Buffer.from(command).toString("base64")}'))`,
      token,
      place,
    ),
  fileCommand: (path, token, place) =>
    runLine(`[IO.File]::ReadAllText(${quotePowerShell(path)})`, token, place),
};

function setup(statePath: string): string {
  return (
    "$ProgressPreference='SilentlyContinue';" +
    "[Console]::OutputEncoding=New-Object Text.UTF8Encoding $false;$OutputEncoding=[Console]::OutputEncoding\n" +
    // Variables of the environment and the directory are what goes on; the rest ends with the process.
    "function __tau_keep{" +
    // Braces, doubled for `-f`: names such as `ProgramFiles(x86)` need them.
    "$lines=@(Get-ChildItem Env:|ForEach-Object{'${{env:{0}}}=''{1}''' -f $_.Name,$_.Value.Replace('''','''''')});" +
    "$lines+='Set-Location -LiteralPath ''{0}''' -f $PWD.ProviderPath.Replace('''','''''');" +
    `$lines+=${quotePowerShell(STATE_END)};` +
    `[IO.File]::WriteAllLines(${quotePowerShell(`${statePath}.new`)},[string[]]$lines)}\n`
  );
}

function runLine(source: string, token: string, { cwd, env = {} }: CommandPlace = {}): string {
  const names = Object.keys(env);
  const there = cwd === undefined ? undefined : quotePowerShell(cwd);
  const parts = [
    "$__tauStatus=1;$__tauOk=$false;$global:LASTEXITCODE=0;$__tauFrom=$PWD.ProviderPath;$__tauEnv=@{}",
    ...names.map((name) => `$__tauEnv['${name}']=[Environment]::GetEnvironmentVariable('${name}')`),
    ...names.map((name) => `$env:${name}=${quotePowerShell(env[name]!)}`),
    // In this scope, so that what it defines is there for the rest of it; the last statement tells.
    `try{${there === undefined ? "" : `Set-Location -LiteralPath ${there} -ErrorAction Stop;`}` +
      `$__tauAt=$PWD.ProviderPath;` +
      `. ([ScriptBlock]::Create(${source}+[Environment]::NewLine+'$__tauOk=$?')) *>&1|Out-Host}` +
      "catch{$_|Out-Host;$__tauOk=$false}",
    "if($__tauOk){$__tauStatus=0}elseif($LASTEXITCODE){$__tauStatus=$LASTEXITCODE}",
    "foreach($__tauName in $__tauEnv.Keys){[Environment]::SetEnvironmentVariable($__tauName,$__tauEnv[$__tauName])}",
    ...(there === undefined
      ? []
      : ["if($PWD.ProviderPath -eq $__tauAt){Set-Location -LiteralPath $__tauFrom}"]),
    "__tau_keep",
    `[Console]::Out.Write(${tokenText(token)}+' '+$__tauStatus+' '+$PWD.ProviderPath+[char]30);[Console]::Out.Flush()`,
  ];
  return `${parts.join(";")}\n`;
}

/** Control characters are not for lines that are read. */
function tokenText(token: string): string {
  return token
    .split("\u001e")
    .map((part) => quotePowerShell(part))
    .join("+[char]30+");
}

export function quotePowerShell(text: string): string {
  return `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}
