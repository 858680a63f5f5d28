// Tools with subcommands: package managers, containers, clusters, clouds. One row says which of
// their options take a value, so that the subcommand is found behind them, which subcommands only
// look, and which do what nobody can undo or send something to others.

import {
  addTargets,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { exactText, type Field } from "../field.ts";
import { judgeCommandsIn, judgeOutputs, judgeTails, judgeTextOf, judgeVerbs } from "../judge-unknown.ts";
import { judgeFile } from "./script-programs.ts";

interface ToolRow {
  /** Options that take a value and may stand before the subcommand, without dashes. */
  globals?: string;
  /** These only look, if all their options are in `flags` and no repository's settings are obeyed. */
  looks?: RegExp;
  /** Options with which looking remains looking. */
  flags?: RegExp;
  /** These cannot be undone. Against the words, and against the words with their options. */
  critical?: readonly (readonly [pattern: RegExp, reason: string])[];
  sends?: RegExp;
  /** Values of these are directories or files that are written. */
  writes?: string;
  /** It talks to other machines in most of what it does. */
  isLocal?: boolean;
  /** It runs the package that it is given. */
  isRunner?: boolean;
}

const PUBLISHES = "publishes to everybody";
const CONTAINER = "deletes the data of containers";
const CLUSTER = "deletes from a cluster";
const CLOUD = "deletes from a cloud";
const LOGIN = "changes who is logged in";
const NPM_GLOBALS = "w workspace C prefix dir userconfig globalconfig registry loglevel cache filter F tag otp";
const NODE_LOGIN: readonly [RegExp, string] = [/^(?:login|logout|adduser|token|owner|access|team|org|profile)\b/, LOGIN];
const SETS: readonly [RegExp, string] = [/^(?:config (?:set|delete|edit)|set)\b/, "changes a package manager's settings"];
const DOCKER_GLOBALS = "H host c context config l log-level f file p project-name profile env-file project-directory ansi";
const DOCKER: ToolRow = {
  globals: DOCKER_GLOBALS,
  looks:
    /^(?:ps|images|logs|inspect|version|info|stats|top|port|diff|history|(?:image|container|volume|network) (?:ls|inspect)|compose (?:ps|logs|config|ls|images))\b/,
  flags: /^(?:-[aqnsftlw]+|--(?:all|quiet|no-trunc|filter|format|latest|last|size|tail|since|until|follow|timestamps|no-stream|type|services|volumes|images)(?:=.*)?|\d+)$/,
  critical: [
    [/^(?:system|volume|image|container|builder|network|buildx) prune\b/, CONTAINER],
    [/^volume (?:rm|remove)\b/, CONTAINER],
    [/^compose (?:.* )?down\b.* (?:-\w*v|--volumes|--rmi)/, CONTAINER],
    [/^compose (?:.* )?rm\b.* -\w*v/, CONTAINER],
    [/^(?:swarm leave|stack rm|service rm|node rm)\b/, CLUSTER],
    [/\b(?:run|create)\b.* (?:--privileged|--pid[= ]host|-v[= ]?\/(?::|\s)|--volume[= ]\/:|-v[= ]?\/var\/run\/docker\.sock|--mount[= ]\S*(?:source|src)=\/(?:,|\s))/, "gives a container the whole machine"],
    [/^(?:image )?push\b|^compose push\b|\bbuild\b.* --push\b/, PUBLISHES],
  ],
  sends: /^(?:login)\b/,
  writes: "iidfile cidfile metadata-file",
};

const TERRAFORM: ToolRow = {
  globals: "chdir",
  looks: /^(?:version|fmt -check)\b/,
  critical: [
    [/^(?:destroy|apply|import|taint|untaint|force-unlock)\b/, "changes machines that others rely on"],
    [/^state (?:rm|mv|push|replace-provider)\b/, "changes machines that others rely on"],
    [/^workspace delete\b/, "changes machines that others rely on"],
  ],
  writes: "out state-out backup",
};

const TOOLS: Readonly<Record<string, ToolRow>> = {
  npm: {
    globals: NPM_GLOBALS,
    looks: /^(?:ls|list|prefix|root|bin|config (?:get|list)|pkg get|explain|why|query)\b/,
    flags: /^--(?:depth|json|long|parseable|all|omit|include|prod|dev|global|silent|location|link)(?:=.*)?$|^-[agl]+$/,
    critical: [
      [/^(?:publish|unpublish|deprecate|dist-tag (?:add|rm)|star|hook)\b/, PUBLISHES],
      NODE_LOGIN,
      SETS,
    ],
    writes: "prefix C dir pack-destination userconfig",
  },
  pnpm: {
    globals: NPM_GLOBALS,
    looks: /^(?:ls|list|why|root|bin)\b/,
    flags: /^--(?:depth|json|long|prod|dev)(?:=.*)?$|^-r$/,
    critical: [[/^(?:publish|unpublish|deprecate)\b/, PUBLISHES], NODE_LOGIN, SETS],
    writes: "prefix C dir pack-destination",
  },
  // Whatever it is asked, it starts the program that the repository names.
  yarn: {
    globals: "cwd modules-folder cache-folder use-yarnrc",
    critical: [
      [/^(?:publish|npm (?:publish|tag)|workspace \S+ (?:npm )?publish)\b/, PUBLISHES],
      [/^(?:npm )?(?:login|logout|owner|team|access)\b/, LOGIN],
      [/^config set\b/, "changes a package manager's settings"],
    ],
    writes: "cwd modules-folder cache-folder",
  },
  npx: { globals: "p package c call w workspace prefix", isRunner: true },
  bunx: { isRunner: true },
  corepack: {},
  bun: {
    globals: "cwd c config preload r",
    critical: [[/^publish\b/, PUBLISHES]],
    writes: "outfile outdir cwd",
  },
  deno: {
    globals: "c config import-map lock",
    critical: [[/^(?:publish|deploy)\b/, PUBLISHES]],
    writes: "o output root outdir",
  },
  pip: {
    globals: "python log proxy cache-dir",
    looks: /^(?:list|show|freeze|check|config list)\b/,
    flags: /^--(?:format|outdated|user|local|all|path|files)(?:=.*)?$|^-[ofl]$/,
    critical: [[/^config (?:set|unset|edit)\b/, "changes a package manager's settings"]],
    writes: "t target prefix root d dest w wheel-dir src report log",
  },
  uv: {
    globals: "project directory config-file cache-dir python p",
    looks: /^pip (?:list|show|freeze)\b/,
    flags: /^--(?:format|outdated)(?:=.*)?$/,
    critical: [[/^publish\b/, PUBLISHES]],
    writes: "o output-file target prefix out-dir",
  },
  uvx: {},
  pipx: { critical: [] },
  poetry: {
    globals: "C directory P project",
    critical: [
      [/^publish\b/, PUBLISHES],
      [/^config (?!--list)\S+ \S/, "changes a package manager's settings"],
    ],
  },
  hatch: { critical: [[/^publish\b/, PUBLISHES]] },
  flit: { critical: [[/^publish\b/, PUBLISHES]] },
  pdm: { critical: [[/^publish\b/, PUBLISHES]] },
  twine: { critical: [[/^upload\b/, PUBLISHES]] },
  conda: { critical: [[/^(?:env )?remove\b.*(?:--all|-n base)/, "deletes an environment"]] },
  cargo: {
    globals: "C config Z color manifest-path target-dir",
    looks: /^(?:locate-project|version)\b/,
    flags: /^--(?:message-format|workspace|verbose)(?:=.*)?$/,
    critical: [
      [/^(?:\+\S+ )?(?:publish|yank|owner)\b/, PUBLISHES],
      [/^(?:\+\S+ )?(?:login|logout)\b/, LOGIN],
    ],
    writes: "target-dir root out-dir artifact-dir",
  },
  rustup: { critical: [[/^(?:self uninstall|toolchain (?:uninstall|remove))\b/, "changes the installed compilers"]] },
  gem: {
    looks: /^(?:list|which|env)\b/,
    flags: /^--?(?:local|l|all)$/,
    critical: [[/^(?:push|yank|owner)\b/, PUBLISHES], [/^signin\b/, LOGIN]],
    writes: "i install-dir n bindir",
  },
  bundle: { critical: [[/^(?:config (?:set )?--global)\b/, "changes a package manager's settings"]] },
  go: {
    globals: "C",
    looks: /^(?:version|env|doc)\b/,
    flags: /^-(?:json|all|src|u|short)$/,
    critical: [[/^env .*-w\b/, "changes a package manager's settings"]],
    writes: "o",
  },
  composer: { globals: "d working-dir", critical: [[/^config .*(?:-g|--global)/, "changes a package manager's settings"]] },
  mvn: { globals: "f file s settings P D", critical: [[/\b(?:deploy|release:perform)\b/, PUBLISHES]] },
  gradle: { globals: "p project-dir b I init-script", critical: [[/\bpublish\w*\b/, PUBLISHES]] },
  gradlew: { critical: [[/\bpublish\w*\b/, PUBLISHES]] },
  dotnet: { critical: [[/^nuget (?:push|delete)\b/, PUBLISHES]], writes: "o output" },
  nuget: { critical: [[/^(?:push|delete)\b/i, PUBLISHES]] },
  make: { globals: "C directory f file makefile I j O o W", isLocal: true },
  just: { globals: "f justfile d working-directory", isLocal: true },
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  "docker-compose": {
    globals: DOCKER_GLOBALS,
    critical: [[/^(?:.* )?down\b.* (?:-\w*v|--volumes|--rmi)/, CONTAINER], [/^(?:.* )?rm\b.* -\w*v/, CONTAINER]],
  },
  kubectl: {
    globals: "n namespace context cluster user s server as token request-timeout v l selector field-selector o output f filename c container",
    looks: /^(?:get|describe|logs|explain|version|api-resources|config (?:view|get-contexts|current-context))\b/,
    flags: /^(?:-[nAowlLfcp]|-o\w+|-n\S+|--(?:namespace|all-namespaces|output|watch|selector|field-selector|show-labels|sort-by|context|tail|since|previous|container|all-containers|no-headers|follow|timestamps|client|short)(?:=.*)?)$/,
    critical: [
      [/^(?:delete|drain|cordon|evict|taint)\b/, CLUSTER],
      [/^(?:replace|apply)\b.* --(?:force|prune)\b/, CLUSTER],
      [/^scale\b.* --replicas[= ]0\b/, CLUSTER],
      [/^config (?:set|unset|delete|use|rename)/, "changes which cluster is meant"],
      [/^rollout undo\b/, "changes what runs in a cluster"],
    ],
    writes: "kubeconfig_out",
  },
  oc: { globals: "n namespace", critical: [[/^delete\b/, CLUSTER]] },
  helm: {
    globals: "n namespace kube-context kubeconfig",
    looks: /^(?:list|ls|status|get|show|history)\b/,
    flags: /^(?:-[nAaoq]|--(?:namespace|all-namespaces|output|all|revision)(?:=.*)?)$/,
    critical: [[/^(?:uninstall|delete|del|un|rollback)\b/, CLUSTER], [/^push\b/, PUBLISHES]],
    writes: "output-dir d destination",
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  pulumi: { globals: "C cwd s stack", critical: [[/^(?:up|update|destroy|stack rm|cancel|state delete)\b/, "changes machines that others rely on"]] },
  ansible: { critical: [] },
  vagrant: { critical: [[/^destroy\b/, "deletes a machine"]] },
  aws: {
    globals: "profile region endpoint-url output query ca-bundle cli-read-timeout cli-connect-timeout color",
    critical: [
      [/^s3 (?:rm|rb)\b|\bdelete-|\bterminate-|\bdestroy-|\bpurge-|\bderegister-|\bdisable-|\bdelete\b|\bremove-|\bdetach-/, CLOUD],
      [/^s3 (?:mv|sync\b.*--delete)\b/, CLOUD],
      [/^(?:configure (?:set|sso)?|configure$)/, "changes a place for credentials"],
    ],
    sends: /^s3 (?:cp|sync|mv) (?!s3:)|^s3api put-object\b|\bput-|\bsend-|\bpublish\b|\binvoke\b/,
  },
  gcloud: {
    globals: "project account configuration format region zone verbosity",
    critical: [[/\b(?:delete|remove-iam-policy-binding|destroy)\b/, CLOUD], [/^(?:storage rm)\b/, CLOUD], [/^(?:auth (?:login|revoke)|config set)\b/, LOGIN]],
    sends: /^storage (?:cp|rsync)\b/,
  },
  gsutil: { globals: "o h u", critical: [[/^(?:-m )?(?:rm|rb|rsync .*-d|mv)\b/, CLOUD]], sends: /^(?:cp|rsync|mv)\b/ },
  az: { globals: "subscription o output query g resource-group", critical: [[/\b(?:delete|purge)\b/, CLOUD], [/^(?:login|logout|account (?:set|clear))\b/, LOGIN]], sends: /\bupload\w*\b/ },
  rclone: { globals: "config", critical: [[/^(?:delete|purge|deletefile|rmdirs?|sync|move|moveto|cleanup|dedupe)\b/, CLOUD]], sends: /^(?:copy|copyto|copyurl|serve|rcat|mount)\b/ },
  s3cmd: { globals: "c config", critical: [[/^(?:del|rm|rb|mv|expire)\b/, CLOUD]], sends: /^(?:put|sync)\b/ },
  mc: { critical: [[/^(?:rm|rb|mirror .*--remove)\b/, CLOUD]], sends: /^(?:cp|mirror|pipe)\b/ },
  heroku: { globals: "a app", critical: [[/^(?:apps:destroy|destroy|pg:reset|addons:destroy|config:unset|ps:scale)\b/, CLOUD]] },
  fly: { globals: "a app", critical: [[/\b(?:destroy|delete)\b/, CLOUD]] },
  flyctl: { globals: "a app", critical: [[/\b(?:destroy|delete)\b/, CLOUD]] },
  vercel: { globals: "t token S scope cwd", critical: [[/^(?:rm|remove|env rm|domains rm|project rm|--prod|deploy --prod)\b/, CLOUD], [/(?:^| )--prod\b/, PUBLISHES]], sends: /^(?:deploy|$)/ },
  netlify: { critical: [[/^(?:sites:delete)\b/, CLOUD], [/^deploy\b.*--prod\b/, PUBLISHES]], sends: /^deploy\b/ },
  wrangler: { globals: "c config e env", critical: [[/^(?:delete|kv:?\S* ?(?:key )?delete|r2 bucket delete|d1 delete)\b/, CLOUD], [/^(?:deploy|publish)\b/, PUBLISHES]] },
  firebase: { globals: "P project", critical: [[/(?:delete|firestore:delete|database:remove|hosting:disable)\b/, CLOUD], [/^deploy\b/, PUBLISHES]] },
  doctl: { globals: "t access-token c context", critical: [[/\b(?:delete|rm|destroy)\b/, CLOUD]] },
  gh: {
    globals: "R repo hostname",
    looks: /^(?:(?:pr|issue|run|release|repo|workflow|gist|label) (?:view|list|status|diff|checks)|auth status|status)\b/,
    flags: /^(?:-[RLsSlAaHBjqcn]|--(?:repo|limit|state|json|jq|comments|label|author|assignee|search|head|base|log|log-failed|name-only|patch|branch|workflow|web|required)(?:=.*)?)$/,
    critical: [
      [/^(?:repo|release|gist|secret|variable|ssh-key|gpg-key|label|cache|codespace|issue|run|ruleset|extension|project) (?:delete|remove|rm|archive|rename|transfer)\b/, "deletes from GitHub"],
      [/^release (?:create|upload)\b/, PUBLISHES],
      [/^(?:auth (?:login|logout|refresh|token|setup-git|switch)|ssh-key add|gpg-key add|secret set|repo deploy-key)\b/, LOGIN],
      [/^repo edit\b.*--visibility/, "changes who sees a repository"],
      [/^pr merge\b|^pr close\b.*(?:-d\b|--delete-branch)|^workflow (?:disable|enable)\b/, "changes something for everybody"],
      [/^api\b.*(?:-X|--method)[= ]?(?:DELETE|PUT|PATCH)\b/i, "changes something on GitHub"],
    ],
    sends: /^(?:gist create|(?:issue|pr) (?:create|comment|edit|review|close)|api\b.*(?:-f|-F|--field|--raw-field|--input)|repo create|workflow run)\b/,
  },
  glab: { globals: "R repo", critical: [[/\bdelete\b/, "deletes from GitLab"], [/^auth\b/, LOGIN], [/^mr merge\b/, "merges for everybody"]], sends: /\b(?:create|note|upload)\b/ },
  systemctl: {
    globals: "H host M machine t type p property",
    looks: /^(?:status|list-units|list-unit-files|list-timers|show|is-active|is-enabled|cat)\b/,
    flags: /^(?:--user|--all|-a|-l|--full|--no-pager|--failed|--state(?:=.*)?|--type(?:=.*)?|-n|\d+|-t|-p)$/,
    critical: [
      [/^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|isolate|default|soft-reboot)\b/, "stops the machine"],
      [/^(?:enable|disable|mask|unmask|edit|link|set-property|set-environment|import-environment|preset|add-wants|revert)\b/, "changes what starts with the machine"],
      [/^(?:stop|restart|kill|start|reload)\b/, "changes what runs on the machine"],
    ],
    isLocal: true,
  },
  service: { critical: [[/\b(?:stop|restart|start|reload)\b/, "changes what runs on the machine"]], isLocal: true },
  launchctl: { looks: /^(?:list|print)\b/, critical: [[/./, "changes what starts with the machine"]], isLocal: true },
  loginctl: { looks: /^(?:list-\w+|show-\w+|\w*-status)\b/, critical: [[/^(?:terminate|kill|enable-linger|disable|lock)/, "ends a session"]], isLocal: true },
  tmux: { critical: [[/^kill-server\b/, "ends every terminal session"]], isLocal: true },
  brew: {
    looks: /^(?:list|info|deps|config|leaves)\b/,
    flags: /^--?(?:versions|formula|cask|json|1|v)(?:=.*)?$/,
    critical: [[/^(?:uninstall|remove|rm|autoremove|cleanup|services (?:start|stop|restart))\b/, "removes programs from the machine"]],
  },
  apt: {
    looks: /^(?:list|show|search|policy)\b/,
    flags: /^--?(?:installed|upgradable|a|names-only|n)$/,
    critical: [[/^(?:remove|purge|autoremove|install|upgrade|full-upgrade|dist-upgrade|edit-sources)\b/, "changes the machine's programs"]],
    globals: "o c t",
  },
  "apt-get": { globals: "o c t", critical: [[/^(?:remove|purge|autoremove|install|upgrade|dist-upgrade|clean)\b/, "changes the machine's programs"]] },
  "apt-cache": { looks: /^(?:search|show|showpkg|policy|depends|rdepends|pkgnames|madison|stats)\b/, flags: /^--(?:names-only|installed|recurse|full)$/ },
  dpkg: { looks: /^(?:-l|-L|-s|-S|--list|--status|--get-selections)/, flags: /^-[lLsS]$|^--(?:list|status|get-selections)$/, critical: [[/^-(?:i|r|P)\b|--(?:install|remove|purge|unpack)/, "changes the machine's programs"]], isLocal: true },
  rpm: { looks: /^-q/, flags: /^-q[alifpR]*$/, critical: [[/^-[eiUF]|--(?:erase|install|upgrade)/, "changes the machine's programs"]], isLocal: true },
  dnf: { critical: [[/^(?:-y )?(?:remove|erase|install|upgrade|autoremove)\b/, "changes the machine's programs"]] },
  yum: { critical: [[/^(?:-y )?(?:remove|erase|install|upgrade|update)\b/, "changes the machine's programs"]] },
  pacman: { looks: /^-Q/, flags: /^-Q[a-z]*$/, critical: [[/^-[RSU]/, "changes the machine's programs"]] },
  apk: { critical: [[/^(?:del|add|upgrade)\b/, "changes the machine's programs"]] },
  snap: { looks: /^(?:list|info|find)\b/, critical: [[/^(?:remove|install|refresh|disable)\b/, "changes the machine's programs"]] },
  flatpak: { looks: /^(?:list|info|search)\b/, critical: [[/^(?:uninstall|remove|install|override)\b/, "changes the machine's programs"]] },
  ip: { critical: [[/\b(?:set|add|del|delete|flush|change|replace)\b/, "changes the network"]], looks: /^(?:-\w+ )*(?:a|addr|address|link|route|r|neigh)(?: (?:show|list|ls)\b.*)?$/, flags: /^-\w+$/, isLocal: true },
  gsettings: { looks: /^(?:get|list\S*|range|describe)\b/, critical: [[/^(?:set|reset)/, "changes the desktop's settings"]], isLocal: true },
  dconf: { looks: /^(?:read|list|dump)\b/, critical: [[/^(?:write|reset|load)\b/, "changes the desktop's settings"]], isLocal: true },
  defaults: { looks: /^(?:read|domains|find)\b/, critical: [[/^(?:write|delete|import|rename)\b/, "changes the machine's settings"]], isLocal: true },
  nmcli: { looks: /^(?:general|device|connection|g|d|c|con|dev)?(?: (?:status|show|list))?$/, critical: [[/\b(?:off|down|delete|modify|add|disconnect)\b/, "changes the network"]], isLocal: true },
  ifconfig: { looks: /^\S*$/, critical: [[/\b(?:down|up|inet|netmask)\b/, "changes the network"]], isLocal: true },
  serverless: { globals: "c config s stage r region", critical: [[/^(?:remove|rollback)\b/, CLOUD]] },
  sls: { globals: "c config s stage r region", critical: [[/^(?:remove|rollback)\b/, CLOUD]] },
  etcdctl: { globals: "endpoints user", critical: [[/^(?:del|rm|rmdir|compaction)\b/, CLUSTER]] },
  consul: { critical: [[/\bdelete\b|^leave\b/, CLUSTER]] },
  pod: { critical: [[/^trunk (?:push|delete|deprecate)\b/, PUBLISHES]] },
  conan: { critical: [[/^upload\b/, PUBLISHES]] },
  hub: { critical: [[/^(?:delete|release (?:create|delete|edit))\b/, "deletes from GitHub"]] },
  java: { isLocal: true },
  code: { isLocal: true },
};

/** With these it asks somebody else, or obeys another file. */
const LEADING_ELSEWHERE = /^(?:H|s|c|log|proxy|python|prefix|C|dir|token|registry|server|host|context|.*config.*|.*-url|.*cache.*)$/;
const LOCAL = /^(?:run|test|t|build|check|clippy|fmt|vet|exec|x|start|lint|compile)\b/;
const VERSION = /^(?:--version|-V|-v|--help|-h|version)$/;
/** What flows into them may be commands. */
const SCRIPTED = /^(?:make|just|docker|podman|nerdctl|kubectl|npx|bunx)$/;
/** Behind them a program is named, or a file that is run. */
const RUNNING = /^(?:run|exec|x|dlx|call)$/;

function judgeTool(row: ToolRow): ProgramJudge {
  return (call) => {
    const { args, effects, name } = call;
    const line = args.map((field) => exactText(field) ?? "?").join(" ");
    if (args.length === 1 && VERSION.test(line)) {
      effects.reads = true;
      return;
    }
    const forms = wordForms(args, row.globals);
    const found = row.critical?.filter(([pattern]) => forms.some((form) => pattern.test(form)));
    const [words] = forms as [string];
    const isLooking = row.looks?.test(words) === true || row.looks?.test(line) === true;
    if (isLooking && (!found || found.length === 0) && hasOnlyFlags(args, row)) {
      effects.reads = true;
      if (/^(?:gh|kubectl|helm|docker|podman|nerdctl)$/.test(name)) noteOpenWords(call);
      return;
    }
    for (const [, reason] of found ?? []) effects.critical.push(reason);
    effects.executes = true;
    if (row.sends && forms.some((form) => row.sends!.test(form))) effects.sends = true;
    if (found?.some(([, reason]) => reason === PUBLISHES)) effects.sends = true;
    if (!row.isLocal && !LOCAL.test(words)) effects.network = true;
    addTargets(call, "overwrites", valuesOf(readArguments(args, `${row.globals ?? ""} ${row.writes ?? "-"}`), row.writes ?? "-"));
    judgeOutputs(call);
    if (row.isRunner) judgeRunner(call);
    if (row === DOCKER) judgeMounts(call);
    judgeRunning(call);
  };
}

/** What is sent for a question may be more than a question. */
function noteOpenWords({ args, effects }: CommandCall): void {
  if (args.some(({ text }) => text === undefined)) effects.network = true;
}

function hasOnlyFlags(args: readonly Field[], { flags, globals = "" }: ToolRow): boolean {
  return args.every((field, index) => {
    const text = exactText(field);
    if (text === undefined) return !field.isMany && field.prefix !== "";
    if (!text.startsWith("-")) return true;
    const isGlobal = globals.split(" ").includes(text.replace(/^-+/, "").split("=")[0]!);
    return flags?.test(text) === true || (isGlobal && !LEADING_ELSEWHERE.test(text.replace(/^-+/, "").split("=")[0]!)) || (index === 0 && flags === undefined);
  });
}

/**
 * The words that are not options, with known values left out; then the same with every word left
 * out that stands behind an option nobody knows; each with its options behind the words.
 */
function wordForms(args: readonly Field[], globals = ""): string[] {
  const { operands } = readArguments(args, globals);
  const texts = (fields: readonly Field[]): string =>
    fields.map((field) => exactText(field) ?? "?").join(" ");
  const isOption = (field: Field | undefined): boolean => field?.text?.startsWith("-") === true;
  const options = args.filter((field, index) => isOption(field) || isOption(args[index - 1]));
  const bare = operands.filter((field) => {
    const before = args[args.indexOf(field) - 1];
    return !isOption(before) || before!.text!.includes("=") || before!.text === "--";
  });
  const all = args.filter((field) => !isOption(field));
  return [operands, bare, all].flatMap((fields) => [
    texts(fields),
    `${texts(fields)} ${texts(options)}`,
  ]).concat(texts(args));
}

/** A package by its address is a download; what it is told may be the end of something. */
function judgeRunner(call: CommandCall): void {
  judgeVerbs(call);
  const isAddress = call.args.some(({ text }) => /^(?:https?:|git\+|github:|gitlab:|file:\/\/)/.test(text ?? ""));
  if (isAddress) call.effects.downloadsAndExecutes = true;
}

/** A directory that is guarded, or all of home, in the hands of a container. */
function judgeMounts(call: CommandCall): void {
  const { home, guards } = call.context;
  const read = readArguments(call.args, "v volume mount");
  for (const { text, prefix } of valuesOf(read, "v volume mount")) {
    const whole = text ?? prefix;
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(whole)?.[1] ?? whole.split(":")[0]!;
    if (!source.startsWith("/") || /:ro\b|,readonly|,ro\b/.test(whole)) continue;
    const isHome = source.replace(/\/+$/, "") === home || home.startsWith(`${source.replace(/\/+$/, "")}/`);
    if (isHome || guards?.(source) !== undefined) call.effects.critical.push(`gives a container ${source}`);
  }
}

/** `npx x`, `uv run x`, `docker exec c x`: the command, in whatever form it is given. */
function judgeRunning(call: CommandCall): void {
  const { args } = call;
  judgeTails(call, args);
  const { text } = call.input;
  if (text !== undefined && SCRIPTED.test(call.name)) judgeCommandsIn(call, text);
  for (const field of args) if (/\s/.test(field.text ?? "")) judgeRunText(call, field);
  const at = args.findIndex(({ text }) => RUNNING.test(text ?? ""));
  const file = at >= 0 ? args.slice(at + 1).find(({ text }) => !text?.startsWith("-")) : undefined;
  if (file && /^(?:bun|deno|uv|go|cargo)$/.test(call.name)) judgeFile(call, file);
}

/** Messages and descriptions are no commands. */
function judgeRunText(call: CommandCall, field: Field): void {
  const before = call.args[call.args.indexOf(field) - 1]?.text ?? "";
  const isShort = /^-[mbtdn]$/.test(before) && /^(?:gh|glab|npm|pnpm|yarn|docker|podman|helm)$/.test(call.name);
  if (isShort || /^--(?:message|body|title|notes|description|subject|comment|tag|label)$/.test(before)) return;
  if (/^--(?:message|body|title|notes|description)=/.test(field.text ?? "")) return;
  judgeTextOf(call, field);
}

export const TOOL_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries(TOOLS).map(([name, row]) => [name, judgeTool(row)] as const),
);
