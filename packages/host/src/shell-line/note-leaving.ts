// Whether secrets leave with a command, whatever its own judge says of it: each program that can
// reach another machine, with those of its arguments that get there. A name that is looked up, an
// address that is cloned and a package that is asked for carry data as well as an upload does.

import { isReadCode } from "./note-code.ts";
import { addReads, type CommandCall } from "./command-call.ts";
import { joinSecrets, knownField, type Field } from "./field.ts";
import { takeOver } from "./judge-unknown.ts";
import { hostOf, isOwnMachine, isPublicHost } from "./own-machine.ts";
import { isOwnClient, isOwnersHost } from "./secret-variable.ts";

/** All that they are given goes to a machine that they are told. */
const TALKERS: ReadonlySet<string> = new Set(
  `getent dig nslookup host drill delv kdig doggo dog resolvectl systemd-resolve ping ping6 fping hping3 arping traceroute
  traceroute6 tracepath mtr whois finger nmap masscan zmap ssh-keyscan ntpdate sntp rdate snmpget snmpwalk snmpset snmptrap
  snmpbulkwalk mosquitto_pub mosquitto_sub kcat kafkacat kafka-console-producer nats svn hg bzr fossil firefox chromium
  chromium-browser google-chrome google-chrome-stable chrome brave brave-browser opera microsoft-edge vivaldi epiphany
  konqueror w3m lynx links links2 elinks browsh curl wget wget2 http https xh curlie httpie aria2c axel fetch ssh scp sftp
  mosh autossh rsync ftp lftp tftp ncftp ncftpput ncftpget ftp-upload curlftpfs sshfs smbclient rpcclient ldapsearch ldapadd
  ldapmodify amqp-publish coap-client telnet nc ncat netcat socat mail mailx mutt sendmail msmtp swaks s-nail ab wrk hey
  siege vegeta bombardier grpcurl grpc_cli websocat wscat nikto sqlmap gobuster ffuf irssi ii weechat pastebinit wormhole
  croc slackcat telegram-send xdg-open open gnutls-cli sslscan testssl.sh nbtscan rpcinfo showmount iperf iperf3 rclone
  yt-dlp youtube-dl ipfs restic borg duplicity chronyd`.split(/\s+/),
);
/** Clients of one service. What they are told goes there; to whom it belongs is known to them. */
const CLIENTS: ReadonlySet<string> = new Set(
  `psql pgcli createdb pg_dump pg_restore mysql mariadb mysqldump mycli mongo mongosh redis-cli valkey-cli sqlcmd
  clickhouse-client cqlsh influx usql aws gcloud gsutil bq az azcopy s3cmd mc doctl heroku fly flyctl vercel netlify wrangler
  railway supabase firebase sentry-cli stripe twilio gh glab hub tea kubectl helm argocd oc vault consul etcdctl nomad op bw
  doppler infisical linode-cli hcloud scw ibmcloud oci eksctl rabbitmqadmin kafka-topics twine sshpass jira slack
  tailscale logger openssl ansible ansible-playbook convex eas wandb huggingface-cli hf hdfs hadoop kaggle neptune comet
  clearml dvc render koyeb deployctl expo-cli pscale turso neonctl upstash dotenv-vault chamber akeyless sops`.split(
    /\s+/,
  ),
);
/** Of tools that mostly work here, the subcommands that ask somebody. */
const ASKING: readonly (readonly [programs: string, verbs: RegExp])[] = [
  [
    "git",
    /^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive|lfs|svn|send-email|imap-send|request-pull|fetch-pack|subtree)$/,
  ],
  [
    "npm pnpm yarn bun",
    /^(?:i|in|install|add|a|view|v|info|show|search|s|ping|pack|audit|ci|update|up|upgrade|dist-tags?|owner|access|whoami|exec|x|dlx|create|init|outdated|publish|deprecate|token|profile|docs|repo|bugs|fetch|npm|login|adduser)$/,
  ],
  [
    "pip uv pipx poetry pdm",
    /^(?:pip|install|download|search|index|wheel|add|tool|lock|sync|publish|source)$/,
  ],
  ["cargo", /^(?:search|install|add|fetch|update|publish|login|info|owner)$/],
  ["go", /^(?:get|install|mod|list)$/],
  ["gem bundle composer", /^(?:install|search|fetch|push|require|add|update|info|show)$/],
  [
    "docker podman nerdctl buildah",
    /^(?:pull|push|login|search|run|create|build|buildx|manifest|image|compose)$/,
  ],
  ["brew conda mamba nix nix-env apt apt-get dnf yum apk pacman snap flatpak", /^[a-z-]+$/],
  ["skopeo crane oras regctl", /^[a-z]+$/],
];
const VERBS: ReadonlyMap<string, RegExp> = new Map(
  ASKING.flatMap(([programs, verbs]) => programs.split(" ").map((name) => [name, verbs] as const)),
);
/** The package that they are told is fetched; what stands behind it is for the package. */
const RUNNERS = /^(?:npx|bunx|uvx|pnpx)$/;
/** What a container or a build is given stays on this machine. */
const KEPT = /^(?:-e|--env|--build-arg|--secret|-v|--volume|--mount|-l|--label)$/;
const PROXIES =
  /^(?:(?:https?|all|ftp|socks)_proxy|npm_config_(?:registry|proxy|https_proxy)|PIP_(?:EXTRA_)?INDEX_URL|PIP_PROXY|UV_(?:DEFAULT_)?INDEX(?:_URL)?|GOPROXY|GONOSUMDB|CARGO_HTTP_PROXY|YARN_REGISTRY)$/i;
/** Keys of their databases go where the database is. */
const DATABASES = /^(?:psql|pg_|pgcli|mysql|mariadb|mycli|mongo|redis|valkey)/;

const AMAZON = /^[\w.-]+\.amazonaws\.com(?:\/|$)/;

interface Leaving {
  fields: readonly Field[];
  /** What flows in leaves, too. */
  hasInput: boolean;
  /** A file that is named to it leaves. */
  hasFiles: boolean;
}

/** With these somebody else answers for the machine that the address names. */
const PROXYING =
  /^(?:-x|--(?:proxy|preproxy|proxy1\.0|socks[45]\w*(?:-hostname)?|resolve|connect-to|doh-url|dns-servers))$/;

/** `-xhttp://…`, `--resolve=a:443:1.2.3.4` */
function gluedProxy(text: string): Field[] {
  const value =
    /^(?:-x|--(?:proxy|preproxy|socks[45]\w*(?:-hostname)?|resolve|connect-to|doh-url|dns-servers)=)(.+)$/s.exec(
      text,
    )?.[1];
  return value === undefined ? [] : [knownField(value)];
}

/** Whether what it asks for goes through a machine that the line names. */
export function isProxied({ environment, state, args, name }: CommandCall): boolean {
  const given = [...state.variables, ...environment].filter(([variable]) => PROXIES.test(variable));
  const isTold = /^(?:curl|wget)$/.test(name)
    ? args.flatMap(({ text }, index) =>
        PROXYING.test(text ?? "") ? (args[index + 1] ?? []) : gluedProxy(text ?? ""),
      )
    : [];
  return [...given.map(([, field]) => field), ...isTold].some(
    ({ text, prefix }) =>
      (text ?? "?") !== "" &&
      !isOwnMachine(text ?? prefix) &&
      // `api.test:443:127.0.0.1`, `::localhost:8443`
      !isOwnMachine((text ?? prefix).replace(/^[^:]*:\d*:/, "")),
  );
}

/** They let others in, under whatever name they are started. */
const TUNNELS =
  /^(?:localtunnel|lt|ngrok|cloudflared|untun|tunnelmole|bore|zrok|frpc|chisel|expose|serveo|pagekite|localxpose)$/;
/** Of others, the words that do so. */
const TUNNELLING: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ["code", /^(?:tunnel|serve-web)$/],
  ["cursor", /^tunnel$/],
  ["tailscale", /^(?:up|funnel|serve|ssh|set)$/],
  ["devtunnel", /^host$/],
  ["kubectl", /^--(?:address|accept-hosts)=(?:0\.0\.0\.0|\.\*|\^\.\*)/],
  ["zerotier-cli", /^join$/],
  ...["node", "nodejs", "tsx", "bun", "deno"].map(
    (name) => [name, /^--inspect(?:-brk|-wait)?=(?!127\.|localhost|\[?::1|\d+$)/] as const,
  ),
]);

function noteTunnel({ name, args, effects }: CommandCall): void {
  const words = args.map(({ text }) => text ?? "");
  const runs = RUNNERS.test(name) || /^(?:pnpm|yarn|npm|bun)$/.test(name);
  const names = runs
    ? words.slice(0, 4).map((word) => word.replace(/(?<=.)@[\w.-]+$/, ""))
    : [name];
  const isTunnel =
    names.some((each) => TUNNELS.test(each)) ||
    words.some((word) => TUNNELLING.get(name)?.test(word) === true);
  if (isTunnel) effects.critical.push("lets others connect to this machine");
}

const SERVERS =
  /^(?:httpd|darkhttpd|webfsd|miniserve|dufs|simple-http-server|live-server|http-server|serve|thttpd|mini_httpd|lighttpd|sfz|woof|filebrowser|rsyncd|atftpd|vsftpd)$/;

/** Servers that give everybody who asks what is in a directory. */
function noteServing(call: CommandCall): void {
  const { name, args, effects } = call;
  const words = args.map(({ text, prefix }) => text ?? prefix);
  const isServer =
    SERVERS.test(name) ||
    (name === "ruby" && words.includes("httpd")) ||
    (name === "caddy" && words.includes("file-server")) ||
    (name === "rsync" && words.includes("--daemon"));
  const isGit = name === "git" && words.some((word) => /^(?:daemon|instaweb)$/.test(word));
  const address = name === "php" ? words[words.indexOf("-S") + 1] : undefined;
  const isPhp =
    name === "php" &&
    words.includes("-S") &&
    (!isOwnMachine(address ?? "") || address!.startsWith("0.0.0.0"));
  if (!isServer && !isGit && !isPhp) return;
  effects.network = true;
  effects.sends = true;
  const named = args.flatMap((field) => {
    const text = (field.text ?? "").replace(/^--[\w-]+=/, "");
    return /^[/.~]/.test(text) ? [knownField(text)] : [];
  });
  addReads(call, named.length > 0 ? named : [knownField(".")], { isDeep: true });
}

/** A login with a value in it hides the machine behind it: the command's own text has it. */
function hostsIn({ args, node }: CommandCall): string[] {
  const told = args.flatMap((field) => hostOf(field) || []);
  const isHidden = args.some(
    ({ text, prefix }) => text === undefined && /:\/\/[^/]*$/.test(prefix),
  );
  const hidden = isHidden ? node.text.matchAll(/:\/\/[^\s/'"]*@([\w.-]+)/g) : [];
  return [...told, ...[...hidden].map((match) => match[1]!)];
}

export function noteLeaving(call: CommandCall): void {
  const { effects, input, name, args } = call;
  noteServing(call);
  noteTunnel(call);
  noteRun(call);
  // Code in the line was read by its syntax: what looks like a word or an address in it is none.
  if (isReadCode(call)) return;
  const leaving = leavingWith(call);
  if (!leaving) return;
  const hosts = hostsIn(call);
  if (leaving.hasFiles) addReads(call, wordsIn(call));
  const isOwn = isHere(call);
  if (!isOwn && isChosen(call, leaving, hosts)) effects.reaches = true;
  if (isOwn && !isProxied(call)) return;
  // `npm_config_registry=https://…/$TOKEN npm install`
  const addresses = [...call.environment.values()].filter(({ prefix }) => prefix.includes("://"));
  const secrets = joinSecrets(
    ...[...leaving.fields, ...addresses].map((field) => field.secrets),
    leaving.hasInput ? input.secrets : undefined,
    // Files have paths; the rest is what it prints.
    leaving.hasFiles ? effects.readsSecrets.filter((what) => what.startsWith("/")) : undefined,
    // Of a whole project only what is piped or packed first: copies of it go to servers every day.
    leaving.hasFiles ? effects.mayReadSecrets.filter((what) => isPacked(call, what)) : undefined,
  );
  const isOwners = (secret: string): boolean => {
    // `aws ecr get-login-password | docker login … amazonaws.com`
    if (secret === "what aws prints") return args.some(({ prefix }) => AMAZON.test(prefix));
    if (!secret.startsWith("$") || isProxied(call)) return false;
    const variable = secret.slice(1);
    if (isOwnersHost(variable, hosts)) return true;
    const isFree = hosts.every(isPublicHost) || DATABASES.test(name);
    return isFree && isOwnClient(name, variable);
  };
  const left = (secrets ?? []).filter((secret) => !isOwners(secret));
  if (left.length === 0) return;
  effects.network = true;
  effects.sends = true;
  for (const secret of left)
    if (!effects.readsSecrets.includes(secret)) effects.readsSecrets.push(secret);
}

/** Orders in one argument: `lftp -e 'put .env'`, `ansible -a 'src=… dest=…'`. */
function wordsIn({ args }: CommandCall): Field[] {
  const orders = args.filter(({ text }) => /\s/.test(text ?? ""));
  return orders.flatMap(({ text }) => text!.split(/[\s;,=]+/).map((word) => knownField(word)));
}

/** A package that is fetched to be run may be the client of a service. */
function noteRun(call: CommandCall): void {
  const { name, args, effects } = call;
  if (!RUNNERS.test(name)) return;
  const at = args.findIndex(({ text }) => text?.startsWith("-") !== true);
  const program = (args[at]?.text ?? "").replace(/(?<=.)@[\w.-]+$/, "");
  if (!CLIENTS.has(program) && !TALKERS.has(program)) return;
  const found = call.walk.probeArguments(call, [knownField(program), ...args.slice(at + 1)]);
  takeOver(effects, found, false);
}

/** A file that the line itself has filled with them. */
function isPacked({ walk }: CommandCall, what: string): boolean {
  return [...walk.carried.values()].some((secrets) => secrets.includes(what));
}

/** What of the command gets to another machine, if it can get there at all. */
function leavingWith(call: CommandCall): Leaving | undefined {
  const { name, args, effects } = call;
  if (TALKERS.has(name)) {
    const isAddress = args.some(({ prefix }) => /^(?!file:)[a-z][\w+.-]+:/i.test(prefix));
    if (/^(?:open|xdg-open)$/.test(name) && !isAddress) return undefined;
    return { fields: args, hasInput: true, hasFiles: !isFetching(call) };
  }
  if (CLIENTS.has(name)) {
    const words = args.map(({ text }) => text ?? "");
    if (name === "openssl" && !words.includes("s_client")) return undefined;
    if (name === "logger" && !words.some((word) => /^(?:-n|--server)/.test(word))) return undefined;
    const isGiving =
      /^(?:create|apply|replace|patch|cp|set|put|push|import|upload|upload-large-folder|write|add|sync|(?:config|env|secrets?|variables?|vars?):(?:set|import|push|create|add)|secrets?|-put|-copyFromLocal|-moveFromLocal|-appendToFile|artifact|--env-file\S*)$/;
    const hasFiles =
      /^(?:logger|ansible)$/.test(name) ||
      effects.sends ||
      words.slice(0, 3).some((word) => isGiving.test(word));
    return { fields: args, hasInput: true, hasFiles };
  }
  if (RUNNERS.test(name)) {
    const at = args.findIndex(({ text }) => text?.startsWith("-") !== true);
    return { fields: args.slice(0, at < 0 ? undefined : at + 1), hasInput: false, hasFiles: false };
  }
  const verbs = VERBS.get(name.replace(/\d+(?:\.\d+)*$/, ""));
  const isAsking = args.some(({ text }) => verbs?.test(text ?? "") === true);
  if (verbs && isAsking) {
    const fields = args.filter((_, index) => !KEPT.test(args[index - 1]?.text ?? ""));
    return {
      fields: fields.filter(({ prefix }) => !/^--(?:env|build-arg|secret)=/.test(prefix)),
      hasInput: args.some(({ text }) => text === "--password-stdin"),
      hasFiles: false,
    };
  }
  // Whatever it is: somebody is named to it.
  const isElsewhere = args.some((field) => hostOf(field) !== undefined);
  if (effects.sends || isElsewhere) return { fields: args, hasInput: true, hasFiles: true };
  return undefined;
}

/** They send what they are told to send, which their own judge knows. */
function isFetching({ name, effects }: CommandCall): boolean {
  return (
    /^(?:curl|wget2?|aria2c|axel|yt-dlp|youtube-dl|ssh|mosh|autossh|getent|svn|hg)$/.test(name) &&
    !effects.sends
  );
}

/** All machines that it names are this one. */
function isHere({ name, args, effects }: CommandCall): boolean {
  const texts = args.map(({ text, prefix }) => text ?? prefix);
  const isNamed = texts.some((text) => isOwnMachine(text) || isOwnMachine(text.split("=").at(-1)!));
  const isElsewhere = args.some((field) => {
    const host = hostOf(field);
    return host !== undefined && !isOwnMachine(host);
  });
  if (isElsewhere) return false;
  if (isNamed) return true;
  // Without a host a database is here; with one, its own judge has said so.
  const hasHost = texts.some((text) => /\bhost(?:addr)?=|^-h|^--host/.test(text));
  return DATABASES.test(name) && !effects.sends && !hasHost;
}

/** Whether the line itself says whom to ask, or something in it that only the shell knows. */
function isChosen(
  { name, args }: CommandCall,
  leaving: Leaving,
  hosts: readonly string[],
): boolean {
  if (TALKERS.has(name)) return args.some(({ text }) => text?.startsWith("-") !== true);
  if (CLIENTS.has(name)) return false;
  if (hosts.some((host) => !isPublicHost(host))) return true;
  if (/^(?:docker|podman|nerdctl)$/.test(name)) {
    const registries = args.map(
      ({ prefix }) => /^([\w-]+(?:\.[\w-]+)+)(?::\d+)?\//.exec(prefix)?.[1],
    );
    if (registries.some((host) => host !== undefined && !isPublicHost(host))) return true;
  }
  return leaving.fields.some(
    ({ text, isMany, secrets }) => text === undefined && (!isMany || secrets !== undefined),
  );
}
