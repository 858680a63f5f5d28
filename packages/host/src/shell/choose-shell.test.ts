// Which shell is chosen on which machine, and what the drivers would say to it.

import { describe, expect, test } from "bun:test";
import { chooseShell, ShellChoiceError } from "./choose-shell.ts";
import { CMD_DRIVER } from "./cmd-driver.ts";
import { POWERSHELL_DRIVER, quotePowerShell } from "./powershell-driver.ts";

const WINDOWS = {
  ProgramFiles: "C:\\Program Files",
  LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local",
  SystemRoot: "C:\\Windows",
  ComSpec: "C:\\Windows\\system32\\cmd.exe",
  Path: "C:\\Windows\\system32;relative;D:\\tools\\Git\\cmd",
};
const GIT_BASH = "C:\\Program Files\\Git\\bin\\bash.exe";
const OWN_GIT_BASH = "C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\bin\\bash.exe";
const SEVEN = "C:\\Program Files\\PowerShell\\7\\pwsh.exe";
const FIVE = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

function choose(platform: NodeJS.Platform, files: readonly string[], configured = "", env = {}) {
  const wish = { platform, configured, env: { ...WINDOWS, ...env } };
  const { driver, program } = chooseShell({ ...wish, exists: (path) => files.includes(path) });
  return [driver.name, program];
}

describe("on Windows", () => {
  test.each([
    ["Git for everyone", [GIT_BASH, SEVEN, FIVE], ["bash", GIT_BASH]],
    ["Git for one user", [OWN_GIT_BASH, SEVEN], ["bash", OWN_GIT_BASH]],
    [
      "Git somewhere on the PATH",
      ["D:\\tools\\Git\\cmd\\git.exe", "D:\\tools\\Git\\bin\\bash.exe", FIVE],
      ["bash", "D:\\tools\\Git\\bin\\bash.exe"],
    ],
    [
      "only the bash of another system",
      ["C:\\Windows\\system32\\bash.exe", FIVE],
      ["powershell", FIVE],
    ],
    ["both PowerShells", [SEVEN, FIVE], ["powershell", SEVEN]],
    ["nothing at all", [], ["cmd", "C:\\Windows\\system32\\cmd.exe"]],
  ])("%s", (_name, files, chosen) => {
    expect(choose("win32", files)).toEqual(chosen);
  });
});

test("elsewhere it is bash, whatever else is there", () => {
  expect(choose("linux", ["/usr/bin/pwsh"])).toEqual(["bash", "bash"]);
  expect(choose("darwin", [])).toEqual(["bash", "bash"]);
});

test("what the user names is taken, if it is one that can be driven and is there", () => {
  expect(choose("darwin", ["/opt/homebrew/bin/bash"], "/opt/homebrew/bin/bash")).toEqual([
    "bash",
    "/opt/homebrew/bin/bash",
  ]);
  expect(choose("win32", [GIT_BASH, FIVE], FIVE)).toEqual(["powershell", FIVE]);
  expect(choose("linux", [], "bash-5.2")).toEqual(["bash", "bash-5.2"]);
  expect(choose("win32", [GIT_BASH], "CMD.EXE")).toEqual(["cmd", "CMD.EXE"]);
  expect(() => choose("linux", ["/usr/bin/zsh"], "/usr/bin/zsh")).toThrow(ShellChoiceError);
  expect(() => choose("linux", [], "/nowhere/bash")).toThrow("does not exist");
});

describe("what is said to PowerShell", () => {
  const token = "\u001e0-1-2";

  test("a command stands on one line, whatever is in it, and no control character with it", () => {
    const command = "Write-Output 'it''s'\nGet-Item \"$x\"; # ü";
    const line = POWERSHELL_DRIVER.command(command, token, { cwd: "C:\\it's", env: { A: "'b" } });
    expect(line.trimEnd()).not.toContain("\n");
    expect(line).not.toContain("\u001e");
    const [, encoded] = /FromBase64String\('([^']+)'\)/.exec(line)!;
    expect(Buffer.from(encoded!, "base64").toString()).toBe(command);
    expect(line).toContain("Set-Location -LiteralPath 'C:\\it''s'");
    expect(line).toContain("$env:A='''b'");
    expect(line).toContain("''+[char]30+'0-1-2'+' '+$__tauStatus+' '+$PWD.ProviderPath+[char]30");
  });

  test("each word of the setup is one line too", () => {
    for (const line of POWERSHELL_DRIVER.setup("C:\\s.ps1").trimEnd().split("\n")) {
      expect([...line].filter((one) => one === "{")).toHaveLength(
        [...line].filter((one) => one === "}").length,
      );
    }
  });

  test("quotes of all kinds are doubled: it takes curly ones for quotes", () => {
    expect(quotePowerShell("a'b\u2019c")).toBe("'a''b\u2019\u2019c'");
  });
});

test("what is said to cmd: the command from its file, its status, then where it is", () => {
  const lines = CMD_DRIVER.fileCommand("C:\\s\\command-1.cmd", "\u001et", {
    cwd: "D:\\x",
    env: { A: "1" },
  }).split("\r\n");
  const at = lines.indexOf('call "C:\\s\\command-1.cmd" <nul 2>&1');
  expect(lines.slice(0, at)).toContain('cd /d "D:\\x"');
  expect(lines.slice(0, at)).toContain('set "A=1"');
  expect(lines[at + 1]).toBe('set "__TAU_STATUS=%ERRORLEVEL%"');
  expect(lines.at(-2)).toBe("echo \u001et %__TAU_STATUS% %CD%\u001e");
});
