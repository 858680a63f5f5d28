// Which secrets a command reads, whatever the command is: a file that is named among its arguments
// is taken for read, unless the program is one that never looks into files.

import { addReads, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { isSecretVariable } from "./secret-variable.ts";

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
  `tar bsdtar zip 7z 7za rar cpio pax rsync scp cp grep egrep fgrep rg ag ack ugrep rclone restic borg duplicity serve
  http-server aws gsutil gcloud s3cmd mc az hf huggingface-cli`.split(/\s+/),
);
/** Of them, those that begin here if they are told no place. */
const HERE_BY_ITSELF = /^(?:rg|ag|ack|ugrep|e?grep|fgrep)$/;
/** What git looks into; of the rest it takes names. */
const GIT_READING =
  /^(?:add|commit|show|diff|grep|blame|annotate|cat-file|log|archive|hash-object|stash|format-patch|send-email|imap-send)$/;
/** The whole environment, in which keys are kept. */
const ENVIRONMENT = "the environment";

export function noteSecrets(call: CommandCall): void {
  const { name, args, effects } = call;
  const read = (what: string): void => {
    if (!effects.readsSecrets.includes(what)) effects.readsSecrets.push(what);
  };
  if (isTellingAll(name, args)) read(ENVIRONMENT);
  if (isTelling(name, args)) read(`what ${name} prints`);
  if (name === "echo" || name === "printf") {
    for (const variable of secretVariables(call)) read(`$${variable}`);
  }
  if (!call.context.secrets) return;
  const isGitReading = name === "git" && args.some(({ text }) => GIT_READING.test(text ?? ""));
  if (BLIND.has(name) && !isGitReading) return;
  const named = COPIERS.has(name) ? args.slice(0, -1) : args;
  const isDeep = DEEP.has(name) && isRecursive(name, args);
  const paths = named.filter((_, index) => !isIdentity(name, named[index - 1])).flatMap(pathsIn);
  if (isDeep && HERE_BY_ITSELF.test(name) && isHereMeant(args)) paths.push(knownField("."));
  addReads(call, paths, { isDeep });
}

/** Programs that print every variable, and those that print one with a key in it. */
function isTellingAll(name: string, args: readonly Field[]): boolean {
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const line = texts.join(" ");
  switch (name) {
    case "printenv": {
      const names = texts.filter((text) => !text.startsWith("-"));
      return names.length === 0 || args.some(({ text }) => isSecretVariable(text ?? "KEY"));
    }
    case "env":
      return texts.every((text) => /^-|^[A-Za-z_]\w*=/.test(text));
    case "set":
      return args.length === 0;
    case "export":
    case "declare":
    case "typeset":
    case "readonly":
    case "local":
      return (
        texts.every((text) => /^-[a-zA-Z]+$/.test(text)) ||
        (/^-\w*p/.test(line) && texts.some((text) => isSecretVariable(text)))
      );
    // `ps eww`: with `e`, each line has the environment behind it.
    case "ps":
      return texts.some((text) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(text)) || texts.includes("-E");
    case "jq":
    case "gojq":
    case "jaq":
      return readsEnvironment(line, /\$ENV(?:\.(\w+)|\b)|(?<![.\w"])env(?:\.(\w+)|\b)/g);
    case "yq":
      return readsEnvironment(line, /\b(?:str)?env\(\s*(\w+)|\benv\.(\w+)|\benvsubst\b/g);
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return readsEnvironment(line, /\bENVIRON(?:\["(\w+)"\]|\b)/g);
    case "npm":
    case "pnpm":
    case "yarn":
      return /^run(?:-script)? env\b/.test(line);
    case "systemctl":
    case "tmux":
      return /\bshow-env(?:ironment)?\b/.test(line);
    case "cmake":
      return /-E environment\b/.test(line);
    case "docker":
    case "podman":
      return /\bcompose\b.* config\b/.test(line);
    default:
      return false;
  }
}

/** Whether one of the places that look into the environment means all of it, or a key. */
export function readsEnvironment(text: string, place: RegExp): boolean {
  return [...text.matchAll(place)].some((match) => {
    const name = match.slice(1).find((group) => group !== undefined);
    return name === undefined || isSecretVariable(name);
  });
}

/** `-i key`, `--cert x.pem`, `--env-file .env`: used to be let in or to start something, not sent. */
const IDENTITY =
  /^--?(?:identity|key|cert|cacert|capath|ca|ca-certificate|certificate|private-key|kubeconfig|userconfig|env-file|key-file|var-file|vault-password-file|tls[\w-]*|ssl[\w-]*|defaults-(?:extra-)?file|netrc-file|CAfile|E|exclude\S*|ignore\S*)$/;

/** They put the variables of the file into a store of theirs. */
const STORING =
  /^(?:eas|supabase|netlify|vercel|doppler|infisical|fly|flyctl|heroku|railway|wrangler|convex|gh|render|koyeb)$/;

function isIdentity(name: string, before: Field | undefined): boolean {
  const option = before?.text ?? "";
  if (STORING.test(name) && option === "--env-file") return false;
  return IDENTITY.test(option) || (option === "-i" && /^(?:scp|sftp|ansible\S*|mosh)$/.test(name));
}

/** Options aside, only what is looked for is named. */
function isHereMeant(args: readonly Field[]): boolean {
  return args.filter(({ text }) => text?.startsWith("-") !== true).length <= 1;
}

/** Everything, or one by such a name: in other forms it hides what is secret. */
const TERRAFORM_SECRETS =
  /^output(?: -no-color)* -json(?: -no-color)*$|^output\b.*(?:key|secret|token|passw|cred|kubeconfig|dsn)|^state pull\b|^show\b.*-json/i;

/** Programs that print keys, with the words that make them do it. */
const TELLING: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    gpg: /--export-secret/,
    pass: /^(?:show|[^-])/,
    op: /\b(?:read|get)\b/,
    bw: /\bget\b/,
    lpass: /\bshow\b/,
    vault: /\b(?:get|read)\b/,
    kubectl: /\bsecrets?\b|config view.*--raw/,
    npm: /_auth|_password|\btoken\b/i,
    aws: /configure (?:get|export)|get-secret-value|get-session-token|get-login-password/,
    gcloud: /print-access-token|print-identity-token|secrets versions access/,
    az: /get-access-token|keyvault secret/,
    gh: /auth token/,
    heroku: /auth:token|\bconfig\b/,
    security: /find-.*password|dump-keychain|export/,
    "secret-tool": /lookup|search/,
    keyctl: /print|read|pipe/,
    // To clear it, or an entry of it, tells nothing.
    history: /^(?!-c$|-d ?[\d-]+$)/,
    rclone: /^config (?:show|dump|reveal)\b|\breveal\b/,
    doppler: /^secrets(?! (?:set|delete|upload|notes)\b)/,
    infisical: /^(?:secrets(?! (?:set|delete)\b)|export)/,
    chamber: /^(?:read|export|env)\b/,
    "ansible-vault": /^(?:view|decrypt)\b/,
    rails: /^(?:credentials|encrypted):show\b/,
    sops: /^(?:-d|--decrypt|decrypt|exec-env)\b/,
    terraform: TERRAFORM_SECRETS,
    tofu: TERRAFORM_SECRETS,
    pulumi: /--show-secrets|^config get\b.*(?:key|secret|token|passw|cred)/i,
    "docker-credential-desktop": /^/,
    age: /^(?:-d|--decrypt)\b/,
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

const SYNCING = /^(?:sync|rsync|mirror|upload-batch)$/;

function isRecursive(name: string, args: readonly Field[]): boolean {
  // They leave out what is hidden or ignored unless they are told.
  if (/^(?:rg|ag|ack|ugrep)$/.test(name))
    return (
      args.some(({ text }) =>
        /^-[a-zA-Z]*[u.]|^--(?:hidden|no-ignore|unrestricted|all)/.test(text ?? ""),
      ) || args.some(({ text }) => /^[/~]/.test(text ?? ""))
    );
  if (
    /^(?:aws|gsutil|gcloud|s3cmd|mc|az)$/.test(name) &&
    args.some(({ text }) => SYNCING.test(text ?? ""))
  )
    return true;
  if (!/^(?:cp|scp|e?grep|fgrep|zip|aws|gsutil|gcloud|s3cmd|mc|az)$/.test(name)) return true;
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
  // `-Tx`, `-sT.env`
  const glued = /^-[a-zA-Z]{1,8}?([/.~].*)$/s.exec(text)?.[1];
  if (glued !== undefined) found.push(glued);
  // `file=@"x";type=text/plain`
  for (const each of found.slice(1)) {
    const plain = each.replace(/;.*$/s, "").replace(/^"(.*)"$/s, "$1");
    if (plain !== each && plain !== "") found.push(plain);
  }
  return found
    .filter((each) => !each.startsWith("-") && /^[\x20-\x7e]{1,4096}$/.test(each))
    .map((each) => knownField(each, field.isPattern));
}
