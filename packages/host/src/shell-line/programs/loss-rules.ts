// Words of tools with which something is lost, published, installed for everybody or let in, where the
// tool's own row says nothing of them. A rule is judged before whatever else is known of the program.

import type { CommandCall } from "../command-call.ts";
import type { LanguageRow } from "./language-row.ts";
import { CLOUD, INSTALLS, PUBLISHES } from "./tool-row.ts";

const DATABASE = "deletes or overwrites what is in a database";
const CONTAINER = "deletes the data of containers";
const CLUSTER = "changes what runs in a cluster";
const ANYWHERE = "opens this machine to others";
const ELSEWHERE = "deletes on another machine";

export const LOSS_RULES: readonly LanguageRow[] = [
  {
    names: "docker docker-compose podman nerdctl",
    critical: [
      [/\bup\b.* (?:-[a-zA-Z]*V\b|--renew-anon-volumes\b)/, CONTAINER],
      [/^kube (?:down|play)\b.* --force\b|^kube down\b.* --force\b/, CONTAINER],
      [/^volume import\b/, CONTAINER],
    ],
  },
  {
    names: "kubectl oc",
    critical: [
      [/^certificate (?:approve|deny)\b|^auth reconcile\b/, "changes who has access to a cluster"],
      [/^(?:adm )?(?:certificates?|policy)\b.* (?:approve|add-)/, CLUSTER],
    ],
  },
  { names: "consul etcdctl nomad", critical: [[/\bsnapshot restore\b/, DATABASE]] },
  { names: "convex", critical: [[/^import\b.* --(?:replace|replace-all)\b/, DATABASE]] },
  {
    names: "bq",
    critical: [
      [/\bload\b.* --replace\b|--replace\b.*\bload\b|\b(?:cp|copy)\b.* (?:-f|--force)\b/, DATABASE],
      [/\bquery\b.* --(?:replace|destination_table)\b/, DATABASE],
    ],
  },
  {
    names: "hdfs hadoop",
    critical: [
      [
        /(?:^| )-(?:rm|rmr|rmdir|expunge|mv|moveFromLocal|truncate|setrep|chown|chmod|delete\w*)(?: |$)|^(?:namenode|zkfc) -format\b|^(?:dfsadmin|haadmin)\b/,
        ELSEWHERE,
      ],
      [/(?:^| )-(?:put|cp|copyFromLocal)\b.* -f\b/, ELSEWHERE],
    ],
  },
  {
    names: "mvn mvnw mvnd gradle gradlew sbt",
    critical: [
      [
        /\bflyway:clean\b|\bliquibase:(?:dropAll|rollback\w*)\b|(?:^|[ :])flywayClean\b|\bflywayUndo\b|\bliquibase(?:DropAll|Rollback\w*)\b|\bhibernate\S*:drop\b|\bsql:execute\b/,
        DATABASE,
      ],
    ],
    extra: judgePlugins,
  },
  { names: "migrate golang-migrate", critical: [[/\bdown\b.* -all\b|\bdown$|\bdrop\b/, DATABASE]] },
  { names: "sqitch", critical: [[/\b(?:revert|rebase|checkout)\b/, DATABASE]] },
  {
    names: "mix",
    critical: [
      [/^ecto\.rollback\b.* (?:--all|--to|--step \d{2,})/, DATABASE],
      [/^(?:archive|escript)\.install\b/, INSTALLS],
      [/^hex\.(?:publish|retire|owner)\b/, PUBLISHES],
    ],
  },
  {
    names: "lein",
    critical: [
      [/\bmigratus (?:reset|rollback|down)\b/, DATABASE],
      [/^deploy\b/, PUBLISHES],
    ],
  },
  { names: "liquibase", critical: [[/\b(?:rollback\S*|drop-?all\S*)\b/i, DATABASE]] },
  {
    names: "atlas",
    critical: [[/\b(?:schema|migrate) (?:apply|down)\b.* --auto-approve\b/, DATABASE]],
  },
  {
    names: "drizzle-kit",
    critical: [[/^push\b.* --force\b/, DATABASE]],
  },
  {
    names: "php artisan sail",
    critical: [
      [/\bmigrate:rollback\b.* --step[= ]?\d{2,}/, DATABASE],
      [/\bqueue:(?:clear|flush)\b|\bhorizon:clear\b|\bmodel:prune\b|\btelescope:clear\b/, DATABASE],
    ],
  },
  { names: "mlflow", critical: [[/^gc\b|^(?:experiments|runs|models) delete\b/, DATABASE]] },
  {
    names: "mongoimport mongorestore",
    critical: [[/(?:^| )--(?:drop\b|mode[= ](?:delete|upsert|merge)\b)/, DATABASE]],
  },
  {
    names: "cargo",
    critical: [
      [/^(?:\+\S+ )?shuttle (?:delete|project delete|resource delete|deploy)\b/, CLOUD],
      [
        /^(?:\+\S+ )?(?:release|smart-release|workspaces publish)\b.* (?:--execute|-x)\b/,
        PUBLISHES,
      ],
      [/^(?:\+\S+ )?quickinstall\b/, INSTALLS],
    ],
  },
  { names: "stack cabal", critical: [[/^upload\b/, PUBLISHES]] },
  { names: "surge", critical: [[/^(?!list\b|whoami\b|login\b|--help)/, PUBLISHES]] },
  { names: "uv", critical: [[/^python (?:uninstall|install\b.* --default)\b/, INSTALLS]] },
  {
    names: "n",
    critical: [[/^(?:\d|v\d|lts|latest|stable|install|i|rm|prune|uninstall|current)/, INSTALLS]],
  },
  {
    names: "yarn",
    critical: [
      [/^set version (?:\.|\/|~|from|https?:)/, "changes a package manager"],
      [/^plugin import (?:\.|\/|~|https?:)/, "changes a package manager"],
    ],
  },
  {
    names: "jupyter jupyter-lab jupyter-notebook",
    critical: [
      [/--\w*App\.(?:token|password)=(?:''|""|)?(?: |$)/, ANYWHERE],
      [
        /--(?:\w*App\.)?(?:ip|allow_remote_access|allow_origin)[= ](?:0\.0\.0\.0|\*|::|True)/,
        ANYWHERE,
      ],
    ],
  },
  {
    names: "dlv delve",
    critical: [
      [/--listen[= ](?:0\.0\.0\.0|\[::\]):\d+/, ANYWHERE],
      [/(?=.*--accept-multiclient).*--listen[= ]:\d+/, ANYWHERE],
    ],
  },
  {
    names: "mongosh mongo",
    critical: [
      [
        /\.(?:update(?:Many|One)?|replaceOne|findOneAnd\w+|findAndModify)\s*\(\s*\{\s*\}\s*,/,
        DATABASE,
      ],
    ],
  },
  {
    names: "pip pip3",
    extra: ({ environment, state, args, effects }: CommandCall) => {
      const value = environment.get("PIP_USER") ?? state.variables.get("PIP_USER");
      const isInstalling = /^(?:install|uninstall)$/.test(args[0]?.text ?? "");
      if (value && isInstalling && !/^(?:0|no|false)?$/.test(value.text ?? "1"))
        effects.critical.push(INSTALLS);
    },
  },
];

/** Plugins of these groups are what builds are made of. */
const USUAL_GROUP =
  /^(?:org\.(?:apache|codehaus|jacoco|sonarsource|springframework|owasp|openrewrite|flywaydb|liquibase|jetbrains|eclipse|asciidoctor|antlr|cyclonedx|pitest)|com\.(?:github\.(?:spotbugs|eirslett)|diffplug|google|puppycrawl|spotify|mycila|societegenerale)|io\.(?:quarkus|github|fabric8|micronaut|spring)|net\.(?:revelc|alchim31)|pl\.project13|fr\.jcgay|de\.thetaphi)\b/;

/** `mvn group:plugin:version:goal` fetches the plugin and runs it. */
function judgePlugins({ name, args, effects }: CommandCall): void {
  if (!name.startsWith("mvn")) return;
  for (const { text = "" } of args)
    if (/^[\w.-]+\.[\w.-]+:[\w.-]+(?::[\w.-]+)?:[\w-]+$/.test(text) && !USUAL_GROUP.test(text))
      effects.downloadsAndExecutes = true;
}
