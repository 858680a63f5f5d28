// A command for a host with Windows whose server hands it to PowerShell or cmd. Neither gives a
// lifeline: a command that is stopped here may go on there.

export type WindowsShell = "powershell" | "cmd";

export function windowsCommand(shell: WindowsShell, command: string, cwd?: string): string {
  if (cwd === undefined) return command;
  return shell === "powershell"
    ? `Set-Location -LiteralPath '${cwd.replaceAll("'", "''")}' -ErrorAction Stop; ${command}`
    : // A quote cannot be part of a name there, and would end the word.
      `cd /d "${cwd.replaceAll('"', "")}" && ${command}`;
}
