// What a sandboxed process must not even read: keys, tokens and logins in their usual places below the
// home directory; and what every program needs.

export const HIDDEN_IN_HOME: readonly string[] = [
  // Keys.
  ".ssh",
  ".gnupg",
  ".password-store",
  ".local/share/keyrings",
  // Clouds and clusters.
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/doctl",
  ".config/op",
  ".kube",
  ".oci",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  // Code and packages.
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/git/credentials",
  ".git-credentials",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  // Containers: a socket is as good as root.
  ".docker/config.json",
  ".docker/run",
  ".config/containers/auth.json",
  // Agents.
  ".tau/agent/agent.db",
  ".tau/agent/agent.db-wal",
  ".tau/agent/agent.db-shm",
  ".omp/agent/agent.db",
  ".codex/auth.json",
  ".claude/.credentials.json",
  // Browsers.
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
];

/** Ways to whoever holds keys for the user. */
export const HIDDEN_VARIABLES: readonly string[] = [
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
];

/** Sockets of services are below it: Docker, D-Bus, agents. A read-only mount would not keep them shut. */
export const RUNTIME_DIRECTORY = "/run";

/** Of it, what programs cannot do without: name servers, and the programs themselves on NixOS. */
export const KEPT_AT_RUNTIME: readonly string[] = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager",
  "/run/connman",
  "/run/current-system",
  "/run/opengl-driver",
];

/** Programs and their libraries, for what sees nothing else. */
export const SYSTEM_PROGRAMS: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/nix/store",
  "/gnu/store",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/localtime",
];

/** Devices without a way to anybody's data. */
export const DEVICES: readonly string[] = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/tty",
];

/** Memory that programs share. */
export const SHARED_MEMORY = "/dev/shm";
