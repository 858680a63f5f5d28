// Places whose reading counts as reading secrets. Reading alone asks nobody; together with
// anything that can send what was read it does.

import { isInPlace, rowOf, type GuardWorld, type PlaceRow } from "./place-table.ts";

const ROWS: readonly PlaceRow[] = [
  {
    what: "an SSH key",
    home: [".ssh"],
    files: ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "ssh_host_*_key"],
    // Names of hosts and public halves are no secrets.
    except: /^(?:known_hosts.*|config|config\.d|authorized_keys|.*\.pub)$/,
  },
  {
    what: "a key",
    home: [".gnupg", ".password-store", ".local/share/keyrings", ".config/age", ".config/sops"],
    files: ["*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "*.jks", "*.keystore", "*.ppk"],
  },
  { what: "a keychain", home: ["Library/Keychains", ".config/op", ".config/Bitwarden"] },
  {
    what: "a file of environment secrets",
    files: [".env", ".env.*", "*.env", ".envrc"],
    except: /(?:^|\.)(?:example|sample|template|dist|defaults?|schema)$|\.d\.ts$/,
  },
  {
    what: "cloud credentials",
    home: [
      ".aws",
      ".azure",
      ".oci",
      ".kube",
      ".config/gcloud",
      ".config/doctl",
      ".config/hcloud",
      ".config/rclone",
      ".config/heroku",
      ".boto",
      ".s3cfg",
      ".terraform.d",
      ".terraformrc",
      ".vault-token",
      ".fly",
      ".config/configstore",
    ],
    files: [
      "credentials.json",
      "service-account*.json",
      "client_secret*.json",
      "application_default_credentials.json",
      "terraform.tfstate",
      "*.tfvars",
    ],
  },
  {
    what: "credentials",
    home: [
      ".netrc",
      ".npmrc",
      ".yarnrc.yml",
      ".pypirc",
      ".git-credentials",
      ".config/git/credentials",
      ".config/gh",
      ".config/glab-cli",
      ".config/hub",
      ".docker/config.json",
      ".config/containers/auth.json",
      ".cargo/credentials",
      ".cargo/credentials.toml",
      ".gem/credentials",
      ".m2/settings.xml",
      ".gradle/gradle.properties",
      ".pgpass",
      ".my.cnf",
      ".mylogin.cnf",
      ".claude/.credentials.json",
      ".claude.json",
      ".codex/auth.json",
      ".omp/agent/agent.db",
      ".gemini/oauth_creds.json",
      ".local/share/opencode/auth.json",
    ],
    files: [
      ".htpasswd",
      ".npmrc",
      ".netrc",
      ".pypirc",
      ".pgpass",
      ".git-credentials",
      "secrets.yml",
      "secrets.yaml",
      "secrets.json",
      "secrets.toml",
      "master.key",
      "wp-config.php",
      "credentials",
    ],
  },
  {
    what: "a history of commands",
    home: [
      ".bash_history",
      ".zsh_history",
      ".zhistory",
      ".python_history",
      ".psql_history",
      ".mysql_history",
      ".node_repl_history",
      ".local/share/fish",
    ],
  },
  {
    what: "a browser's profile",
    home: [
      ".mozilla",
      ".thunderbird",
      ".config/google-chrome*",
      ".config/chromium",
      ".config/BraveSoftware",
      ".config/microsoft-edge",
      ".config/vivaldi",
      ".config/opera",
      "snap/firefox",
      "Library/Application Support/Google/Chrome",
      "Library/Application Support/Firefox",
      "Library/Cookies",
      "Library/Safari",
    ],
    files: ["cookies.sqlite", "logins.json", "key4.db", "Login Data"],
  },
  {
    what: "the system's passwords",
    system: [
      "/etc/shadow",
      "/etc/gshadow",
      "/etc/sudoers",
      "/etc/sudoers.d",
      "/etc/ssl/private",
      "/etc/krb5.keytab",
      "/var/lib/sss",
      "/run/secrets",
      "/var/run/secrets",
    ],
  },
  {
    what: "a process's environment",
    system: ["/proc/*/environ", "/proc/*/mem", "/proc/*/task/*/environ", "/proc/kcore"],
  },
];

/** Of Tau's own files, those with keys and what they hide. */
const OWN = [
  "agent.db",
  "agent.db-wal",
  "agent.db-shm",
  "secrets.yml",
  "secrets.key",
  "auth.json",
  "ssh.json",
  "config.yml",
];

/** What the path holds, if reading it is reading a secret. */
export function secretPlace(path: string, world: GuardWorld): string | undefined {
  const agentDirectory = world.agentDirectory ?? `${world.home}/.tau/agent`;
  if (OWN.some((name) => isInPlace(path, `${agentDirectory}/${name}`, world))) return "Tau's keys";
  return rowOf(ROWS, path, world)?.what;
}

/** The same for a directory that is read with all that is in it. */
export function secretsBelow(directory: string, world: GuardWorld): string | undefined {
  const isAll = isInPlace(world.home, directory, world);
  if (isAll) return "everything in the home directory";
  const isOwn = isInPlace(
    `${world.agentDirectory ?? `${world.home}/.tau/agent`}/agent.db`,
    directory,
    world,
  );
  if (isOwn) return "Tau's keys";
  const isConfig = isInPlace(`${world.home}/.config/gh`, directory, world);
  return isConfig ? "credentials" : secretPlace(directory, world);
}
