// A word to programs that nobody is there: nothing pages, nothing opens an editor, nothing asks.
// For commands in a terminal that no person looks at; with one, they would rather be asked.

/** Fails at once, which a question for a password is to take for a no. */
const NO_ANSWER = "/usr/bin/false";

export const UNATTENDED_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Pagers wait for a key at the end of a screen.
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GH_PAGER: "cat",
  GLAB_PAGER: "cat",
  BAT_PAGER: "cat",
  DELTA_PAGER: "cat",
  PSQL_PAGER: "cat",
  AWS_PAGER: "",
  // Editors: what is proposed is taken as it is.
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  KUBE_EDITOR: "true",
  // Questions.
  CI: "1",
  NONINTERACTIVE: "1",
  DEBIAN_FRONTEND: "noninteractive",
  GIT_TERMINAL_PROMPT: "0",
  // For git as well; where it has a helper of its own, as in an editor's terminal, that may know.
  SSH_ASKPASS: NO_ANSWER,
  SUDO_ASKPASS: NO_ANSWER,
  GCM_INTERACTIVE: "never",
  GH_PROMPT_DISABLED: "1",
  TF_INPUT: "0",
  PIP_NO_INPUT: "1",
  POETRY_NO_INTERACTION: "1",
  COMPOSER_NO_INTERACTION: "1",
  CONDA_ALWAYS_YES: "true",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  npm_config_yes: "true",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  HOMEBREW_NO_AUTO_UPDATE: "1",
};
