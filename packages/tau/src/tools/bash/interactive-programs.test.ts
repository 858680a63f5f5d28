// Which commands get a terminal.

import { expect, test } from "bun:test";
import { wantsTerminal } from "./interactive-programs.ts";

test.each([
  "vim README.md",
  "/usr/bin/less x",
  "EDITOR=x git commit",
  "git commit --amend",
  "git rebase -i HEAD~3",
  "git add -p",
  "python3",
  "env FOO=1 htop",
  "ssh host",
  "docker run --rm -it debian",
  "sudo apt update",
  "man ls",
])("%s wants a person", (command) => {
  expect(wantsTerminal(command)).toBe(true);
});

test.each([
  "ls",
  "git status",
  "git commit -m 'vim'",
  "git commit -am x",
  "git commit --amend --no-edit",
  "python3 -c 'print(1)'",
  "node x.js",
  "man ls | head",
  "less x > y",
  "docker ps",
  "echo vim",
  "",
])("%p does not", (command) => {
  expect(wantsTerminal(command)).toBe(false);
});
