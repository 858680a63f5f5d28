// The words for cmd, where nothing better is to be had. A process a command, for what it runs shares
// its input; commands go through batch files, because cmd has no quoting that carries any text.

import type { CommandPlace, ShellDriver } from "./shell-driver.ts";

const STATE_END = "rem end of the shell's state";

export const CMD_DRIVER: ShellDriver = {
  name: "cmd",
  program: "cmd.exe",
  // Quiet, without what the registry would have it run; `/K` so that it says no greeting.
  arguments: ["/Q", "/D", "/K", "chcp 65001 >nul"],
  lifetime: "command",
  maxInlineCharacters: 0,
  fileSuffix: ".cmd",
  stateEnd: STATE_END,
  keepLine: "",
  readyLine: "",
  setup: (statePath) => `set "__TAU_STATE=${statePath}.new"\r\n`,
  restore: (statePath) => `call "${statePath}" >nul 2>&1\r\n`,
  enter: (directory) => `cd /d "${directory}"\r\n`,
  command: (command, token, place) => runLines(command, token, place),
  fileCommand: (path, token, place) => runLines(`call "${path}"`, token, place),
};

function runLines(command: string, token: string, { cwd, env = {} }: CommandPlace = {}): string {
  const names = Object.keys(env);
  return [
    'set "__TAU_FROM=%CD%"',
    ...names.map((name) => `set "__TAU_OLD_${name}=%${name}%"`),
    ...names.map((name) => `set "${name}=${env[name]}"`),
    ...(cwd === undefined ? [] : [`cd /d "${cwd}"`]),
    'set "__TAU_AT=%CD%"',
    `${command} <nul 2>&1`,
    'set "__TAU_STATUS=%ERRORLEVEL%"',
    ...(cwd === undefined ? [] : ['if "%CD%"=="%__TAU_AT%" cd /d "%__TAU_FROM%"']),
    ...names.flatMap((name) => [`set "${name}=%__TAU_OLD_${name}%"`, `set "__TAU_OLD_${name}="`]),
    '(for /f "delims=" %a in (\'set\') do @echo set "%a") >"%__TAU_STATE%" 2>nul',
    'echo cd /d "%CD%">>"%__TAU_STATE%"',
    `echo ${STATE_END}>>"%__TAU_STATE%"`,
    `echo ${token} %__TAU_STATUS% %CD%\u001e`,
    "",
  ].join("\r\n");
}
