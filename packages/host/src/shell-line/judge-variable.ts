// Variables by which programs load code, run other programs, obey other settings, fetch from other
// stores, or write somewhere. What counts is the value: a command is judged as one, a path is asked about
// unless it is the project's or the system's. Whoever can write to a temporary directory could have
// put a library there, so for loading it counts as outside.

import { addTargets, targetsOf, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { judgeCommandsIn, programName, takeOver } from "./judge-unknown.ts";
import { judgeLoaded, judgeLoadingText } from "./judge-loading.ts";
import { judgeStore } from "./judge-store.ts";

type Kind = "loads" | "path" | "runs" | "writes" | "options" | "code" | "store" | "home";

const TABLE: readonly (readonly [kind: Kind, names: RegExp])[] = [
  ["path", /^PATH$/],
  ["home", /^(?:HOME|XDG_CONFIG_HOME|XDG_DATA_HOME|ZDOTDIR|USERPROFILE)$/],
  [
    "writes",
    /^(?:GIT_TRACE\w*|GIT_REDIRECT_\w+|GIT_OBJECT_DIRECTORY|COVERAGE_FILE|NODE_V8_COVERAGE|NODE_REDIRECT_WARNINGS|NODE_REPL_HISTORY|NODE_COMPILE_CACHE|LD_DEBUG_OUTPUT|LD_PROFILE_OUTPUT|MALLOC_TRACE|PYTHONPYCACHEPREFIX|PYTHON_HISTORY|HISTFILE|LESSHISTFILE|MYSQL_HISTFILE|PSQL_HISTORY|SQLITE_HISTORY|CARGO_TARGET_DIR|CCACHE_DIR|CCACHE_LOGFILE|SCCACHE_DIR|GOCOVERDIR|GOTMPDIR|LLVM_PROFILE_FILE|GMON_OUT_PREFIX|CPUPROFILE|HEAPPROFILE|TF_LOG_PATH|ANSIBLE_LOG_PATH|STRACE_LOG|UV_PROJECT_ENVIRONMENT|BUNDLE_PATH|SSLKEYLOGFILE|npm_config_cache|PIP_LOG|WGET_HSTS_FILE|SCREENDIR|TMPDIR|CARGO_BUILD_TARGET_DIR|TESTLOG\w*|LD_TRACE_\w+)$/i,
  ],
  ["code", /^(?:LUA_INIT\w*|PYTHONBREAKPOINT|PHP_INI_DIRECTIVES)$/],
  [
    "options",
    /^(?:NODE_OPTIONS|BUN_OPTIONS|PERL5OPT|PERL5DB|RUBYOPT|\w*JAVA_(?:TOOL_)?OPTIONS|_JAVA_OPTIONS|JAVA_OPTS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|SBT_OPTS|ANT_OPTS|ANT_ARGS|LEIN_JVM_OPTS|JVM_OPTS|GOFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|TAR_OPTIONS|GREP_OPTIONS|LESS|FZF_DEFAULT_OPTS|FFREPORT|\w+SAN_OPTIONS|PYTEST_ADDOPTS|PYTEST_PLUGINS|RUSTFLAGS|CARGO_ENCODED_RUSTFLAGS|CARGO_BUILD_RUSTFLAGS|RUSTDOCFLAGS|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MANROFFOPT|GROFF_\w*OPT\w*|npm_config_node_options|RUBY_YJIT_\w+|GCC_\w+|VIMINIT|EXINIT|NVIM_\w*INIT)$/i,
  ],
  [
    "store",
    /^(?:PIP_(?:INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|REQUIREMENT|CONSTRAINT|TRUSTED_HOST|PROXY)|UV_(?:INDEX\w*|DEFAULT_INDEX|EXTRA_INDEX_URL|FIND_LINKS|PYTHON_INSTALL_MIRROR|CONSTRAINT|OVERRIDE|INSECURE_HOST)|npm_config_(?:registry|proxy|https?_proxy|.*registry)|YARN_(?:NPM_)?REGISTRY\w*|BUN_CONFIG_REGISTRY|COREPACK_NPM_REGISTRY|GOPROXY|GOSUMDB|GONOSUMDB|GONOSUMCHECK|GONOPROXY|GOINSECURE|CARGO_REGISTR(?:Y|IES)_\w+|RUSTUP_(?:DIST_SERVER|UPDATE_ROOT)|BUNDLE_MIRROR\w*|GEM_SOURCE|HOMEBREW_\w+_(?:REMOTE|DOMAIN)|CONDA_CHANNEL\w*|NIX_PATH|NVM_\w+_MIRROR|POETRY_REPOSITORIES_\w+|PDM_PYPI_URL|COMPOSER_REPO\w*|HF_ENDPOINT|ELECTRON_MIRROR|PLAYWRIGHT_DOWNLOAD_HOST|PUPPETEER_DOWNLOAD_\w+)$/i,
  ],
  [
    "runs",
    /^(?:GIT_(?:SSH|SSH_COMMAND|ASKPASS|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND|PAGER)|SSH_ASKPASS|SUDO_ASKPASS|\w*EDITOR|VISUAL|FCEDIT|\w*PAGER|\w*BROWSER|\w+_EXTERNAL_DIFF|\w*OPENER|\w+_DEFAULT_COMMAND|LESSOPEN|LESSCLOSE|RUSTC|RUSTDOC|RUSTC_\w*WRAPPER|CARGO_BUILD_RUSTC\w*|CARGO_TARGET_\w+_(?:LINKER|RUNNER)|CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|FC|HOSTCC|CMAKE_\w+_(?:LAUNCHER|COMPILER)|CCACHE_(?:PREFIX|COMPILER|PREFIX_CPP)|DISTCC_\w*CMD|npm_config_(?:script_shell|shell|editor|viewer|git)|npm_execpath|MAKE|SHELL|CONFIG_SHELL|PYTEST_XDIST_\w*CMD|RSYNC_RSH|CVS_RSH|RSH|DOCKER_CONTEXT_CMD|HG_?EDITOR|SVN_SSH|PYTHON|NODE|npm_node_execpath|CARGO|AUTOCONF|AUTOMAKE|M4|AUTOM4TE|AUTOHEADER|ACLOCAL|LIBTOOLIZE|GTKDOCIZE|AUTOPOINT|LEX|YACC|INSTALL|RSYNC_CONNECT_PROG|BORG_RSH|\w+_PASSWORD_COMMAND|\w+_PASSCOMMAND|\w+_CREDENTIAL_PROCESS|GIT_SENDEMAIL\w*)$/i,
  ],
  [
    "loads",
    /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH|PROFILE)|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|MANPATH|TERMINFO\w*|GETCONF_DIR|RESOLV_HOST_CONF|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTHON(?:PATH|STARTUP|HOME|USERBASE|PLATLIBDIR|EXECUTABLE)|PERL5LIB|PERLLIB|PERL_MB_OPT|RUBYLIB|GEM_(?:HOME|PATH)|BUNDLE_GEMFILE|PHPRC|PHP_INI_SCAN_DIR|LUA_C?PATH\w*|CLASSPATH|DOTNET_STARTUP_HOOKS|DOTNET_ADDITIONAL_DEPS|DOTNET_SHARED_STORE|COR(?:ECLR)?_PROFILER\w*|R_(?:PROFILE|ENVIRON|LIBS)\w*|R_HOME|JULIA_(?:LOAD_PATH|DEPOT_PATH)|EMACSLOADPATH|EMACSDATA|VIMRUNTIME|VIM|MYVIMRC|BASH_ENV|ENV|FPATH|CARGO_HOME|RUSTUP_HOME|RUSTUP_TOOLCHAIN|GOROOT|GOENV|GOTOOLDIR|GOBOOTSTRAP|MAKEFILES|AWKPATH|AWKLIBPATH|GIT_(?:CONFIG|CONFIG_GLOBAL|CONFIG_SYSTEM|EXEC_PATH|TEMPLATE_DIR|DIR|COMMON_DIR|ALTERNATE_OBJECT_DIRECTORIES|ATTR_SOURCE)|HGRCPATH|WGETRC|CURL_HOME|OPENSSL_(?:CONF|MODULES|ENGINES)|SSL_CERT_\w+|KUBECONFIG|RIPGREP_CONFIG_PATH|BAT_CONFIG_\w+|EZA_CONFIG_DIR|FZF_DEFAULT_OPTS_FILE|LESSKEY\w*|INPUTRC|SCREENRC|TMUX_CONF|YARN_RC_FILENAME|YARN_YARN_PATH|YARN_PLUGINS|npm_config_(?:userconfig|globalconfig|init_module|prefix)|PIP_CONFIG_FILE|UV_CONFIG_FILE|UV_PYTHON|POETRY_CONFIG_DIR|CONDARC|MAVEN_(?:HOME|CONFIG)|M2_HOME|GRADLE_USER_HOME|GRADLE_HOME|TF_CLI_CONFIG_FILE|TF_PLUGIN_CACHE_DIR|ANSIBLE_(?:CONFIG|LIBRARY|\w+_PLUGINS|ROLES_PATH|COLLECTIONS_PATH\w*)|HELM_PLUGINS|STARSHIP_CONFIG|MAILCAPS?|PSQLRC|SQLITERC|MYSQL_HOME|GDBHISTFILE|GTK_\w*(?:MODULES|PATH)|QT_PLUGIN_PATH|GIO_\w*MODULE\w*|GST_PLUGIN_\w*PATH|VK_LAYER_PATH|OCL_ICD_VENDORS|LV2_PATH|MAGICK_\w+_PATH|MAGICK_CONFIGURE_PATH|TEXINPUTS|TEXMF\w*|PKG_CONFIG_(?:PATH|LIBDIR)|CMAKE_(?:PREFIX|MODULE|TOOLCHAIN)_?\w*|COMPILER_PATH|GCC_EXEC_PREFIX|DOTNET_ROOT|NIX_CONF_DIR|NIX_USER_CONF_FILES|DIRENV_CONFIG|MISE_\w*(?:CONFIG|DIR)\w*|ASDF_\w+|PYENV_ROOT|RBENV_ROOT|NVM_DIR|VIRTUAL_ENV|DOCKER_CONFIG|DOCKER_CLI_PLUGIN_\w+|PRE_COMMIT_HOME|NPM_CONFIG_GLOBALCONFIG|ELECTRON_OVERRIDE_DIST_PATH|ESLINT_\w*CONFIG\w*|GEMRC|IRBRC|PRYRC|PYTHONINSPECT|PYLINTRC|MYPYPATH|MYPY_CONFIG_FILE\w*|JUPYTER_(?:CONFIG_DIR|PATH)|IPYTHONDIR|MPLCONFIGDIR|TAR_CONFIG|AWS_CONFIG_FILE|BOTO_CONFIG|GH_CONFIG_DIR|GNUPGHOME)$/i,
  ],
];

/** Caches and tool directories of the person's own, that these variables are for. */
const USUAL_HOMES =
  /^(?:CARGO_HOME|RUSTUP_HOME|GOROOT|GRADLE_USER_HOME|GRADLE_HOME|MAVEN_HOME|M2_HOME|PYENV_ROOT|RBENV_ROOT|NVM_DIR|ASDF_\w+|DOTNET_ROOT|KUBECONFIG|GEM_HOME|GEM_PATH|PKG_CONFIG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|VIRTUAL_ENV|CMAKE_\w+|AWS_CONFIG_FILE|DOCKER_CONFIG|GNUPGHOME|JULIA_DEPOT_PATH|CLASSPATH|PRE_COMMIT_HOME|TF_PLUGIN_CACHE_DIR|BUNDLE_GEMFILE|GH_CONFIG_DIR|MPLCONFIGDIR|JUPYTER_\w+|TEXMF\w*|UV_PYTHON)$/;
const HIDDEN_AT_HOME = /^\/\.(?!config\/autostart|local\/share\/applications)[\w-]+(?:\/|$)/;
/** Those among them that load nothing: a temporary place is where tests put them. */
const DATA =
  /^(?:MPLCONFIGDIR|GNUPGHOME|AWS_CONFIG_FILE|DOCKER_CONFIG|PRE_COMMIT_HOME|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|TF_PLUGIN_CACHE_DIR|GRADLE_USER_HOME|PYTHONUSERBASE|PKG_CONFIG_\w+|IPYTHONDIR|JUPYTER_\w+|GH_CONFIG_DIR|GEM_HOME|MISE_DATA_DIR|npm_config_prefix|CMAKE_PREFIX_PATH|GDBHISTFILE)$/i;

/** A variable that is set for one command, or for all that follow. */
export function judgeVariable(call: CommandCall, name: string, field: Field): void {
  const kind = kindOf(name);
  if (kind === undefined) return;
  const value = valueOf(call, name, field);
  if (field.isDownload && kind !== "home") call.effects.downloadsAndExecutes = true;
  if (name === "PATH" && field.prefix.startsWith(":")) judgeSearchPath(call, `.${field.prefix}`);
  if (kind === "path" && field.text === undefined) judgeOpenSearchPath(call);
  if (value === "") return;
  call.effects.executes = true;
  switch (kind) {
    case "writes":
      return judgeWritten(call, value, field);
    case "path":
      return judgeSearchPath(call, value);
    case "home":
      return judgeHome(call, name, value);
    case "runs":
      return judgeCommand(call, name, value);
    case "code":
      return judgeCode(call, name, value);
    case "options":
      return judgeLoadingText(call, name, value);
    case "store":
      return judgeStore(call, value);
    case "loads":
      for (const each of value.split(/[:;,]|\s+/)) {
        if (each === "" || each === "." || isUsual(call, name, each)) continue;
        judgeLoaded(call, each, { isDataAllowed: DATA.test(name), isPathOnly: true });
      }
  }
}

/** Words that scripts use for something of their own: nothing looks at them unless it is told to. */
const OWN_WORDS =
  /^(?:NODE|PYTHON|MAKE|CARGO|CC|CXX|CPP|LD|AR|AS|NM|FC|STRIP|M4|LEX|YACC|INSTALL|ENV|SHELL|VIM|LESS|RSH|BROWSER|CLASSPATH|\w*OPTIONS|TMPDIR)$/;

/** Whether programs do as it says, although nobody has told them. */
export function isObeyedVariable(name: string): boolean {
  return kindOf(name) !== undefined && !OWN_WORDS.test(name);
}

const KINDS = new Map<string, Kind | undefined>();
/** Names come from lines, so that the table of answers must not grow without end. */
const MAX_KINDS = 500;

function kindOf(name: string): Kind | undefined {
  if (!KINDS.has(name)) {
    if (KINDS.size >= MAX_KINDS) KINDS.clear();
    KINDS.set(name, TABLE.find(([, names]) => names.test(name))?.[0]);
  }
  return KINDS.get(name);
}

/** As far as it is known: `$PATH` and other values of the shell are left out of a list. */
function valueOf(call: CommandCall, name: string, field: Field): string {
  if (field.text !== undefined) return field.text;
  const raw = new RegExp(String.raw`(?:^|[\s;'"])${name}\+?=("[^"]*"|'[^']*'|\S*)`).exec(
    call.node.text,
  )?.[1];
  if (raw === undefined) return field.prefix;
  const { home } = call.context;
  const here = call.state.directories?.[0] ?? ".";
  // Of a list, what it begins with is known even if it came from a variable.
  const first = name === "PATH" ? field.prefix.split(":").slice(0, -1) : [];
  const rest = raw
    .replace(/^["']|["']$/g, "")
    .replace(/\$\{HOME\}|\$HOME\b|~(?=\/)/g, home)
    .replace(/\$\{PWD\}|\$PWD\b|\$\(pwd\)/g, here)
    // `/x${PATH:+:$PATH}`
    .replace(/\$\{\w+:?[+-]:[^}]*\}/g, ":$")
    .split(":")
    .filter((part) => !/[$`}]/.test(part));
  return [...first, ...rest].join(":");
}

/** Programs that say where programs are. */
const TELLING_PLACES =
  /^(?:pwd|cd|dirname|realpath|readlink|mktemp|which|command -v|getconf|xcrun|npm|pnpm|yarn|bun|go|gem|ruby|bundle|brew|cargo|rustc|rustup|python[\d.]*|pip[\d.]*|uv|poetry|pipenv|conda|composer|nvm|fnm|volta|mise|asdf|pyenv|rbenv|nodenv|opam|luarocks|stack|ghcup|llvm-config\S*|java_home|\/usr\/libexec\/java_home|git rev-parse)\b/;

/** `PATH=$(cat x):$PATH` */
function judgeOpenSearchPath({ node, effects }: CommandCall): void {
  const raw = /(?:^|[\s;'"])PATH\+?="?([^\n]*)/.exec(node.text)?.[1] ?? "";
  const isOpen = [...raw.matchAll(/[$]\(\s*([^()]*)/g)].some(
    ([, command]) => !TELLING_PLACES.test(command!),
  );
  // `${PATH/usr/tmp}`; to leave something out is another matter.
  const isEdited = /\$\{PATH\/[^}]*\/[^/}]+\}/.test(raw);
  if (isOpen || isEdited)
    effects.unknown.push("it looks for programs in a place that is only known when it runs");
}

function isUsual({ context }: CommandCall, name: string, path: string): boolean {
  const { home } = context;
  if (path === "/dev/null" || !USUAL_HOMES.test(name)) return path === "/dev/null";
  const isHome = path.startsWith(`${home}/`) || path.startsWith("~/");
  return isHome && HIDDEN_AT_HOME.test(path.replace(/^~/, "").replace(home, ""));
}

function judgeWritten(call: CommandCall, value: string, field: Field): void {
  // `GIT_TRACE=1` writes to the terminal.
  if (/^(?:\d|true|false|on|off)$/i.test(value)) return;
  if (/\/\.cache\/|^\/var\/tmp(?:\/|$)/.test(value)) return;
  const path = value.replace(/^~(?=\/|$)/, call.context.home).replace(/^file:\/\//, "");
  addTargets(call, "overwrites", [field.text === undefined ? field : knownField(path)]);
}

/** Programs found there stand for those that everybody knows. */
function judgeSearchPath(call: CommandCall, value: string): void {
  const { effects, context } = call;
  for (const part of value.split(":")) {
    const isHere = /^\.?\/?$/.test(part) && part !== "/" && (part !== "" || /^:|::/.test(value));
    if (part === "" && !isHere) continue;
    const path = part.replace(/^~(?=\/|$)/, context.home);
    const targets = isHere ? [] : targetsOf(call, knownField(path));
    const isFar = targets.some(
      ({ place }) =>
        place === "temporary" ||
        (place === "outside" && !/\/(?:s?bin|shims|Scripts|libexec|games|cmd)\/?$/.test(path)),
    );
    if (isHere || isFar)
      effects.unknown.push(`it looks for programs in ${isHere ? "this directory" : path}`);
  }
}

const SHELLS = /^(?:(?:ba|z|da|k|fi)?sh|git|less|man|bat|nvim|vim|emacs|tmux)$/;

/** Settings of everything: those of a place that the line itself has made, or of a shell that reads them. */
function judgeHome(call: CommandCall, name: string, value: string): void {
  const { walk, effects, node } = call;
  const path = value.replace(/^~(?=\/|$)/, call.context.home);
  for (const target of targetsOf(call, knownField(path))) {
    const isOwn = [...walk.written.keys(), ...walk.downloaded].some(
      (each) => each.startsWith(`${target.path}/`) && /\/\.\w|\/config/.test(each),
    );
    const program = /(?:^|\s)(?:[A-Za-z_]\w*=\S*\s+)*([\w./-]+)/.exec(
      node.text.replace(/(?:^|\s)[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)/g, " "),
    )?.[1];
    const isShell = SHELLS.test(programName(program ?? ""));
    const isFar = target.place === "outside" || target.place === "temporary";
    const isObeyed = name === "ZDOTDIR" || (isShell && (isFar || name === "XDG_CONFIG_HOME"));
    if (isOwn || isObeyed) effects.unknown.push(`it obeys the settings in ${path}`);
  }
}

/** They show, wait or do nothing; compilers have a machine's name before them. */
const HARMLESS_COMMAND =
  /^(?:cat|true|false|:|less|more|most|bat|delta|diff-so-fancy|vi|vim|nvim|nano|emacs|ed|code|subl|hx|kak|micro|none|echo|\/bin\/(?:true|cat|sh|bash|zsh)|\/usr\/bin\/\w+|(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|as|nm|ranlib|strip|cpp|gfortran|lld|mold)(?:-\d+(?:\.\d+)*)?|ld\.\w+|sccache|ccache|distcc|cachepot|zig|icc|icpc|icx|nvcc|mpicc|mpicxx|emcc|em\+\+|musl-gcc|rustc|make|gmake|ninja|python[\d.]*|node|bash|zsh|sh|fish|ssh|plink|firefox|chrome|chromium|google-chrome|lynx|w3m|open|xdg-open|wslview|difft|difftastic|head|tail)$/;
/** Given to a program that adds arguments of its own, they delete or run what nobody named. */
const HARMFUL_COMMAND =
  /^(?:rm|shred|truncate|dd|mv|eval|sudo|doas|curl|wget|nc|ncat|perl|ruby|php)$/;
const SHELL_OF_ITS_OWN = /^(?:SHELL|CONFIG_SHELL|npm_config_script_shell|npm_config_shell)$/i;

/** A program that another one is told to run, with arguments of its own behind it. */
export function judgeCommand(call: CommandCall, name: string, given: string): void {
  const { effects, walk } = call;
  const value = given.trim().replace(/^\|-?/, "");
  const head = /^\S*/.exec(value)![0];
  // An environment of a program's own: `PYTHON=.venv/bin/python make`, `ENV=prod`.
  if (head.includes("/") && !head.includes("://")) {
    judgeLoaded(call, head, { isPathOnly: true });
    if (effects.unknown.length > 0) return;
  }
  if (HARMFUL_COMMAND.test(head)) effects.unknown.push(`it runs ${head} on what only it knows`);
  if (/^(?:ba|da|z)?sh$/.test(head) && value !== head && !SHELL_OF_ITS_OWN.test(name))
    takeOver(effects, walk.probeText(call, value), true);
  const isSure = /^GIT_|ASKPASS$|EDITOR$|PAGER$|WRAPPER$|^(?:CC|CXX|VISUAL|CCACHE_PREFIX)$/.test(
    name,
  );
  if (
    isSure &&
    /^[a-zA-Z][\w.-]*$/.test(head) &&
    !HARMLESS_COMMAND.test(head) &&
    !walk.isProgram(head)
  )
    effects.unknown.push(`it is not known what ${head} does`);
  if (HARMLESS_COMMAND.test(head) || head.includes("://") || /^[\w.-]*$/.test(value)) {
    judgeCommandsIn(call, value);
    return;
  }
  takeOver(effects, walk.probeText(call, value), !/^(?:sed|gsed|awk|git|cp)$/.test(head));
}

function judgeCode(call: CommandCall, name: string, value: string): void {
  if (name === "PYTHONBREAKPOINT") {
    if (!/^(?:0|\w*pdb\w*\.\w+|IPython\.\w+|pudb\.\w+|web_pdb\.\w+|celery\.\S+)$/.test(value))
      call.effects.unknown.push(`it runs ${value} as a debugger`);
  } else call.effects.unknown.push(`it runs the code in ${name}`);
}
