// Variables that make programs run other programs, or other ones than their names say.

const RISKY =
  /^(?:PATH|ENV|BASH_\w+|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|LD_\w+|DYLD_\w+|GIT_\w+|\w*PAGER|EDITOR|VISUAL|LESS\w*|PYTHON(?:PATH|HOME|STARTUP|INSPECT|BREAKPOINT)|PERL5\w+|PERLLIB|RUBY\w+|\w+_COMMAND|\w+_OPTIONS|\w+_CONFIG_PATH|\w+_PRELOAD|\w+_WRAPPER|MAKEFLAGS|CC|CXX|AWKPATH|AWKLIBPATH|LOCPATH|GCONV_PATH|TERMINFO\w*|SHELL|GLOBIGNORE|TAR_OPTIONS|GZIP|BROWSER|SSH_ASKPASS|KUBECONFIG|NODE_\w+|RUSTC?_?\w*|CARGO_\w+|GO\w+|NPM_CONFIG_\w+|npm_config_\w+|PIP_\w+|UV_\w+|BUN_\w+|DENO_\w+|DOCKER_\w+|\w*EDITOR|FFREPORT|HGRCPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|\w*OPENER|FCEDIT|MAILCAPS?|INPUTRC|XDG_CONFIG_\w+|TAU_\w+)$/;

/** What the judge itself relies on: where `~` and `cd` lead, how values are split. */
export function isShellVariable(name: string): boolean {
  return /^(?:HOME|CDPATH|IFS|PWD|OLDPWD)$/.test(name);
}

/** Where programs put or look for files: as good as another directory. */
export function isLocationVariable(name: string): boolean {
  return /^(?:TMPDIR|HOME|GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|GIT_COMMON_DIR)$/.test(name);
}

export function isRiskyVariable(name: string): boolean {
  return RISKY.test(name);
}
