// Which secrets a command reads, whatever the command is: a file that is named among its arguments
// is taken for read, unless the program is one that never looks into files.

import { addReads, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";

/** They take names, not contents. */
const BLIND = new Set(
  `echo printf test [ ls stat rm rmdir unlink touch mkdir chmod chown chgrp find fd fdfind which type du realpath readlink
  basename dirname cd pushd popd export declare local unset tree eza exa git ssh-add ssh-keygen ssh command`.split(
    /\s+/,
  ),
);
/** Their last argument is where things go. */
const COPIERS = new Set("cp mv ln install scp rsync".split(" "));
/** They read a directory with all that is in it. */
const DEEP = new Set(
  "tar bsdtar zip 7z 7za rsync scp cp grep rg ag ack rclone restic borg duplicity serve http-server".split(
    " ",
  ),
);
/** The whole environment, in which keys are kept. */
const ENVIRONMENT = "the environment";

export function noteSecrets(call: CommandCall): void {
  const { name, args, effects } = call;
  const isAll =
    name === "printenv" ||
    (name === "env" && args.length === 0) ||
    (/^(?:set|export|declare|typeset)$/.test(name) &&
      args.every(({ text }) => text === "-p" || text === "-x" || text === "-px"));
  const isOne = name === "printenv" && args.length > 0;
  if (isAll && (!isOne || args.some(({ text }) => isSecretVariable(text ?? "KEY"))))
    effects.readsSecrets.push(ENVIRONMENT);
  if (isTelling(name, args)) effects.readsSecrets.push(`what ${name} prints`);
  if (name === "echo" || name === "printf") {
    for (const variable of secretVariables(call)) effects.readsSecrets.push(`$${variable}`);
  }
  if (!call.context.secrets) return;
  const isAdding =
    name === "git" &&
    args.some(({ text }) => text === "add" || text === "commit" || text === "show");
  if (BLIND.has(name) && !isAdding) return;
  const read = COPIERS.has(name) ? args.slice(0, -1) : args;
  const isDeep = DEEP.has(name) && isRecursive(name, args);
  addReads(call, read.flatMap(pathsIn), { isDeep });
}

/** Programs that print keys, with the words that make them do it. */
const TELLING: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    gpg: /--export-secret/,
    pass: /^(?:show|[^-])/,
    op: /\b(?:read|get)\b/,
    bw: /\bget\b/,
    lpass: /\bshow\b/,
    vault: /\b(?:get|read)\b/,
    kubectl: /\bsecrets?\b/,
    npm: /_auth|_password|\btoken\b/i,
    aws: /configure (?:get|export)|get-secret-value|get-session-token|get-login-password/,
    gcloud: /print-access-token|print-identity-token|secrets versions access/,
    az: /get-access-token|keyvault secret/,
    gh: /auth token/,
    heroku: /auth:token|\bconfig\b/,
    security: /find-.*password|dump-keychain|export/,
    "secret-tool": /lookup|search/,
    keyctl: /print|read|pipe/,
    history: /^/,
    tau: /^token\b/,
  }),
);

function isTelling(name: string, args: readonly Field[]): boolean {
  const line = args.map(({ prefix }) => prefix).join(" ");
  return TELLING.get(name)?.test(line) === true;
}

/** Variables of the command as it stands that keys are kept in. */
export function secretVariables({ node }: CommandCall): string[] {
  const names = node.words.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "parameter" ? [part.name] : [])),
  );
  return names.filter(isSecretVariable);
}

function isRecursive(name: string, args: readonly Field[]): boolean {
  if (!/^(?:cp|scp|grep|zip)$/.test(name)) return true;
  return args.some(({ text }) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/.test(text ?? ""));
}

/** `x`, `--file=x`, `file=@x`, `-Tx` and `<x` all name x. */
function pathsIn(field: Field): Field[] {
  const { text } = field;
  if (text === undefined) return field.prefix.includes("/") ? [field] : [];
  const found = [text];
  for (const mark of ["=", "@", "<", ":"]) {
    const at = text.indexOf(mark);
    if (at >= 0 && at < text.length - 1) found.push(text.slice(at + 1));
  }
  const last = text.lastIndexOf("@");
  if (last >= 0 && last < text.length - 1) found.push(text.slice(last + 1));
  if (/^-[a-zA-Z][/.~]/.test(text)) found.push(text.slice(2));
  return found
    .filter((each) => !each.startsWith("-") && /^[\x20-\x7e]{1,4096}$/.test(each))
    .map((each) => knownField(each, field.isPattern));
}

/** Names under which keys are kept. */
function isSecretVariable(name: string): boolean {
  return /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|APIKEY|KEY|PAT|AUTH)(?:$|_)/i.test(
    name,
  );
}
