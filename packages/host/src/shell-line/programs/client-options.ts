// Options of clients of other machines and of databases: what they write here, run here, load or take along.

import { addTargets, type CommandCall } from "../command-call.ts";
import { knownField } from "../field.ts";
import { isSecretVariable } from "../secret-variable.ts";
import { judgeConsoleCode } from "./console-input.ts";
import { valuesAfter } from "./editor-languages.ts";

const OPEN = "its script may run, load or write something";

export function judgeCopyUrl(call: CommandCall): void {
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (words[0]?.text !== "copyurl") return;
  const target = words.at(-1);
  call.effects.downloads = true;
  if (target && words.length > 2 && !/^[\w-]+:/.test(target.prefix))
    addTargets(call, "overwrites", [target]);
}

/** `aws s3api get-object … FILE`: what is neither a word of it nor the value of an option. */
export function judgeOutfile(call: CommandCall): void {
  const { args } = call;
  const verbs = args.filter(({ prefix }) => !prefix.startsWith("-"));
  if (/^(?:s3|configure)$/.test(verbs[0]?.text ?? "")) return;
  if (!/^(?:get-|invoke|download-|export-|synthesize-)/.test(verbs[1]?.text ?? "")) return;
  const last = args.at(-1);
  const before = args.at(-2)?.text ?? "";
  const isValue = /^--(?!no-|debug$)/.test(before) && !before.includes("=");
  if (last && !isValue && !last.prefix.startsWith("-") && last !== verbs[1])
    addTargets(call, "overwrites", [last]);
}

/** Its archives: `-A -x`, `-Ax`, with `-C DIRECTORY`. */
export function judgeSqlar(call: CommandCall): void {
  const isArchive = call.args.some(({ text }) => text?.startsWith("-A") === true);
  if (isArchive) addTargets(call, "overwrites", valuesAfter(call.args, /^(?:-C|--directory)$/));
}

export function judgeMysqlShell(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  const codes = [
    ...valuesAfter(call.args, /^(?:-e|--execute|-c|--pyc)$/).map(({ text }) => text),
    call.input.text,
  ];
  const isSql = texts.includes("--sql") || texts.includes("--sqlc");
  const language = texts.some((text) => text.startsWith("--py")) ? "python" : "javascript";
  for (const code of isSql ? [] : codes)
    if (code !== undefined) judgeConsoleCode(call, language, code);
  for (const file of valuesAfter(call.args, /^(?:-f|--file)$/))
    if (!/\.(?:py|js|sql)$/.test(file.text ?? "")) call.effects.unknown.push(OPEN);
}

/** What a connection takes along, loads and writes here. */
export function judgeSshSettings(call: CommandCall): void {
  const { args, effects } = call;
  const settings = [
    ...valuesAfter(args, /^-o$/).map(({ text, prefix }) => text ?? prefix),
    ...args.flatMap(({ text }) => /^-o(.+)$/s.exec(text ?? "")?.[1] ?? []),
  ];
  for (const setting of settings) {
    const [, key = "", value = ""] = /^(\w+)\s*[=\s]\s*(.*)$/s.exec(setting) ?? [];
    if (/^(?:SendEnv|SetEnv)$/i.test(key)) judgeSent(call, value);
    if (
      /^(?:PKCS11Provider|SecurityKeyProvider|Include)$/i.test(key) &&
      !/^(?:none|internal)$/.test(value)
    )
      effects.unknown.push(`it loads ${value}`);
    if (/^(?:UserKnownHostsFile|ControlPath|LogFile)$/i.test(key))
      addTargets(
        call,
        "overwrites",
        value.split(/\s+/).map((path) => knownField(path.replace(/^~(?=\/)/, call.context.home))),
      );
  }
  if (call.name === "autossh" && args.some(({ text }) => /^-[a-zA-Z]*R/.test(text ?? "")))
    effects.critical.push("lets another machine connect to this one");
}

/** `SendEnv NAME*`: the values of these variables go there. */
function judgeSent({ effects }: CommandCall, value: string): void {
  for (const name of value.split(/[\s,]+/)) {
    const isAny = /[*?]/.test(name) && !/^LC_|^LANG/.test(name);
    if (!isAny && !isSecretVariable(name.split("=")[0]!)) continue;
    effects.sends = true;
    effects.network = true;
    effects.readsSecrets.push(isAny ? "the environment" : `$${name}`);
  }
}

const LOSING_ORDER = /^[-+*]?\s*(?:dele|rmd|rm|rmdir|rnfr|rename|chmod|chown|ln|symlink|site)\b/i;

/** Orders for a server before or after a file is fetched, and the socket that commands containers. */
export function judgeCurlOrders(call: CommandCall): void {
  const { args, effects } = call;
  for (const { text, prefix } of valuesAfter(args, /^(?:-Q|--quote|--prequote|--postquote)$/))
    if (LOSING_ORDER.test(text ?? prefix)) effects.critical.push("deletes on another machine");
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isSocket = texts.some((text) =>
    /(?:docker|podman|containerd|crio|lxd?|incus|libvirt\S*)(?:\.sock|\/unix\.socket)/.test(text),
  );
  const isChanging = texts.some((text) =>
    /^(?:-X|--request=?)?(?:POST|PUT|DELETE|PATCH)$|^(?:-d|--data\S*|--json|-T|--upload-file|-F)/.test(
      text,
    ),
  );
  if (isSocket && isChanging) effects.critical.push("commands the machine's containers directly");
}

export function judgeDuckEnvironment(call: CommandCall): void {
  const texts = [...call.args.map(({ text, prefix }) => text ?? prefix), call.input.text ?? ""];
  for (const text of texts)
    for (const [, name] of text.matchAll(/\bgetenv\s*\(\s*'(\w+)'/gi)) {
      if (!isSecretVariable(name!)) continue;
      call.effects.readsSecrets.push(`$${name}`);
      if (/:\/\//.test(text)) call.effects.sends = true;
    }
}
