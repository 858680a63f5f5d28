// Which variables keys are kept in, told from their names, and whose keys they are: a key may go to
// whom it is for, and to nobody else.

/** Names under which keys are kept. */
export function isSecretVariable(name: string): boolean {
  return /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASS|PWD|PASSPHRASE|CREDENTIALS?|APIKEY|KEY|PAT|AUTH|DSN|COOKIE)(?:$|_)/i.test(
    name.replace(/^(?:OLD)?PWD$/, ""),
  );
}

/** Programs that are the client of one service, and how the variables with its keys begin. */
const CLIENTS: readonly (readonly [programs: string, variables: RegExp])[] = [
  ["gh hub", /^(?:GH|GITHUB)_/],
  ["glab", /^(?:GL|GITLAB|CI_JOB)_/],
  ["aws aws-vault cdk sam", /^AWS_/],
  ["gcloud gsutil bq", /^(?:GOOGLE|GCP|GCLOUD|CLOUDSDK)_/],
  ["az azcopy", /^(?:AZURE|ARM)_/],
  ["npm pnpm yarn bun", /^(?:NPM|NODE_AUTH|YARN)_/],
  ["docker podman nerdctl skopeo", /^(?:DOCKER|REGISTRY|CR|GHCR)_/],
  ["psql pg_dump pg_restore pgcli createdb", /^(?:PG|POSTGRES|DB_|DATABASE)/],
  ["mysql mariadb mysqldump mycli", /^(?:MYSQL|MARIADB|DB_|DATABASE)/],
  ["redis-cli valkey-cli", /^(?:REDIS|VALKEY)/],
  ["mongo mongosh mongodump", /^(?:MONGO|DB_|DATABASE)/],
  ["vercel", /^VERCEL_/],
  ["netlify", /^NETLIFY_/],
  ["fly flyctl", /^FLY_/],
  ["heroku", /^HEROKU_/],
  ["railway", /^RAILWAY_/],
  ["supabase", /^SUPABASE_/],
  ["wrangler", /^(?:CLOUDFLARE|CF)_/],
  ["sentry-cli", /^SENTRY_/],
  ["stripe", /^STRIPE_/],
  ["twine uv poetry hatch pdm flit", /^(?:TWINE|PYPI|UV|POETRY|HATCH|PDM|FLIT)_/],
  ["cargo", /^(?:CARGO|CRATES)_/],
  ["vault", /^VAULT_/],
  ["doctl", /^(?:DIGITALOCEAN|DO)_/],
  ["firebase", /^(?:FIREBASE|GOOGLE)_/],
  ["sshpass ssh", /^SSH/],
];
const OWNERS: ReadonlyMap<string, RegExp> = new Map(
  CLIENTS.flatMap(([programs, variables]) =>
    programs.split(" ").map((program) => [program, variables] as const),
  ),
);

/** Whether the program is the client of the service that the key is for. */
export function isOwnClient(program: string, variable: string): boolean {
  return OWNERS.get(program)?.test(variable) === true;
}

/** Services that are called by their initials. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["gh", "github"],
  ["gl", "gitlab"],
  ["hf", "huggingface"],
  ["cf", "cloudflare"],
  ["aws", "amazonaws"],
]);

/** Whether all of the hosts, if there are any, belong to whom the key is for. */
export function isOwnersHost(variable: string, hosts: readonly string[]): boolean {
  const first = variable.split("_")[0]!.toLowerCase();
  const owner = SHORT_NAMES.get(first) ?? first;
  return (
    hosts.length > 0 &&
    owner.length > 2 &&
    hosts.every((host) => host.split(".").slice(-2).join(".").toLowerCase().includes(owner))
  );
}
