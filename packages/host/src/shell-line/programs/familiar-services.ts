// Familiar programs that manage something besides the project's files: versions of languages, local
// clusters and stacks, hosted services, migrations. They work quietly until a word says that
// something is lost, stopped for others, or given away.

import type { FamiliarGroup } from "./familiar-row.ts";
import { PUBLISHES } from "./tool-row.ts";

const VERSION_MANAGERS = `
  nvm fnm volta asdf rtx proto sdk jenv jabba tfenv tgenv tfswitch goenv gvm nodenv pyenv rbenv rvm phpenv phpbrew plenv swiftenv
  swiftly kiex exenv ghcup juliaup elan gobrew g n nodebrew nave sdkman vfox devbox flox autoenv shadowenv nix nix-shell nix-build
  nix-instantiate nix-store nix-prefetch-url nixos-option guix home-manager opam carton raco
  spack module ml lmod easybuild eb haxelib quicklisp roswell ros cs coursier bb clj clojure renv packrat bower jspm volo
  krew helmfile terraform-docs tfupdate infracost jb`;

/** Clusters, stacks and devices on this machine: stopping them is work, deleting them is a loss. */
const LOCAL_STACKS = `
  kind k3d minikube k3s microk8s colima lima limactl multipass orb orbctl vctl finch buildah skopeo img kaniko
  skaffold tilt devspace garden okteto telepresence draft ctlptl werf kustomize 
  localstack awslocal samlocal sam copilot cdklocal tflocal chalice act nektos-act circleci earthly dagger
  supabase hasura nhost appwrite pocketbase meilisearch typesense edgedb gel dbmate migrate golang-migrate
  flyway liquibase sqitch atlas skeema sql-migrate tern bytebase refinery sqlx diesel sea-orm-cli
  dotnet-ef ecto evolve mongod mysqld postgres redis-server valkey-server memcached nginx httpd apachectl caddy traefik haproxy
  minio etcd rabbitmq-server kafka-server-start zookeeper-server-start elasticsearch opensearch
  pg_ctl pg_ctlcluster initdb createdb pg_restore mongorestore mysqlimport mongoimport mongoexport pg_basebackup vacuumdb reindexdb clusterdb pgbench
  detox apkanalyzer maestro fastlane xcrun simctl emulator avdmanager sdkmanager idevice_id ideviceinstaller instruments
  watchman honcho process-compose mprocs goreman
  devcontainer dev gitpod coder codespace envbuilder
  ollama llama-cli llama-server vllm lms huggingface-cli hf wandb clearml ray prefect nomic kaggle`;

/** Others rely on them. */
const SHARED = `
  nomad flux argocd argo kubeadm kops eksctl istioctl linkerd cilium velero kubeseal rancher rke talosctl clusterctl crossplane
  bq cloud_sql_proxy cbt railway render koyeb northflank zeabur neonctl neon turso pscale planetscale xata upstash convex
  eb ecs-cli aws-sam amplify cdk cdktf sst arc architect up now surge deno-deploy deployctl cloudflare linode-cli hcloud scw vultr-cli exo
  ibmcloud oci ovh civo equinix metal packet upctl gridscale triton cf bosh tanzu aliyun tccli hwcloud yc
  datadog-ci sentry-cli newrelic honeycomb grafana-cli pagerduty pd opsgenie launchdarkly ldcli statsig flagsmith split
  vault boundary waypoint packer consul-template doppler infisical chamber akeyless
  stripe shopify twilio sfdx sf slack algolia contentful sanity storyblok hubspot hs auth0 okta auth0-cli ably pusher
  ansible-galaxy ansible-vault ansible-inventory salt salt-call puppet bolt chef chef-client knife capistrano mina dokku dep deployer kamal mrsk fabric fab nixops colmena deploy-rs morph
  kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-console-consumer kafka-console-consumer.sh kafka-console-producer kafka-console-producer.sh kafka-configs kafka-configs.sh kcat kafkacat kafkactl rpk pulsar-admin nats natscli rabbitmqadmin rabbitmqctl activemq mosquitto_sub mosquitto_pub
  elasticdump es-cli opensearch-cli curator_cli snowsql snow databricks dbx beeline hive impala-shell presto trino spark-submit spark-shell spark-sql pyspark flink hdfs hadoop sqoop nodetool cassandra-stress cockroach tidb tiup yugabyted ysqlsh
  jira acli linear jenkins-cli jenkins-jobs drone woodpecker buildkite-agent bk travis appveyor tkn tea berg codecov coveralls bitbucket
  eas expo-cli pilot testflight gplaycli`;

const HELD = "what is kept outside the project";

export const FAMILIAR_SERVICES: readonly FamiliarGroup[] = [
  [VERSION_MANAGERS, { network: true, loses: "programs of the machine" }],
  [LOCAL_STACKS, { network: true, reads: true, loses: HELD }],
  [
    SHARED,
    {
      network: true,
      isElsewhere: true,
      isShared: true,
      loses: "what others rely on",
      critical: [
        [
          /(?:^| )(?:deploy|publish|promote|login|logout|up|apply|migrate|release)(?: |$)/,
          "changes what others rely on",
        ],
      ],
    },
  ],
  [
    "pm2 pm2-runtime forever supervisorctl supervisord circusctl monit s6-svc runit sv",
    {
      loses: "what runs on the machine",
      critical: [
        [
          /^(?:startup|unstartup|save|resurrect|install|set|deploy|link|enable)\b/,
          "changes what starts with the machine",
        ],
        [/^(?:down|exit|once|force-\w+)\b/, "stops what runs on the machine"],
        [/^(?:kill|stopall|stop all|restart all|shutdown)\b/, "stops what runs on the machine"],
      ],
    },
  ],
  [
    "adb fastboot",
    {
      network: true,
      isElsewhere: true,
      critical: [
        [
          /\b(?:uninstall|clear|disable\S*|rm|reboot|wipe|format|erase|flash|sideload|root|remount|restore|push|oem|unlock)\b/,
          "changes a device",
        ],
      ],
    },
  ],
  [
    "direnv mise",
    {
      network: true,
      critical: [
        [/^(?:allow|permit|grant|trust|edit)\b/, "lets the project's settings run programs"],
      ],
    },
  ],
  [
    "ansible-playbook ansible-pull",
    {
      network: true,
      reads: true,
      critical: [[/^/, "changes what others rely on"]],
      looksWith: /^--(?:check|syntax-check|list-\w+|version|help)$|^-C$/,
    },
  ],
  ["createuser", { critical: [[/^(?!.*--help)/, "changes who has access to a database"]] }],
  ["goose", { loses: HELD, critical: [[/^(?:run|session|web|acp)\b/, "starts another agent"]] }],
  [
    "dvc",
    { critical: [[/^(?:gc|destroy|remote (?:add|modify|remove))\b/, "deletes versions of data"]] },
  ],
  ["gpgconf gpg-connect-agent ssh-agent", { reads: true }],
  [
    "ssh-add",
    { reads: true, critical: [[/(?:^| )-[a-zA-Z]*[DdxXse]/, "changes which keys are at hand"]] },
  ],
  ["asciinema", { network: true, critical: [[/^(?:upload|stream|auth|session)\b/, PUBLISHES]] }],
  [
    "restic",
    {
      network: true,
      reads: true,
      sends: true,
      critical: [
        [
          /(?:^| )(?:forget|prune|init|key|rewrite|tag|unlock|migrate|repair|recover|self-update)(?: |$)/,
          "changes the backups",
        ],
      ],
    },
  ],
  [
    "wp",
    {
      network: true,
      loses: HELD,
      critical: [
        [
          /^(?:db (?:query|cli|import|clean)|site empty|eval|eval-file|shell|search-replace|package install|(?:plugin|theme) (?:install|update)|user (?:create|update|set-role|add-role)|option update|config (?:set|create)|core (?:update|download))\b/,
          "changes what is kept outside the project",
        ],
        [/(?:^| )--(?:ssh|exec|require|http)=/, "runs elsewhere, or runs code"],
      ],
    },
  ],
  ["gt", { network: true, loses: "branches" }],
  [
    `qemu-system-x86_64 qemu-system-i386 qemu-system-arm qemu-system-aarch64 qemu-system-riscv32 qemu-system-riscv64 qemu-system-mips
    qemu-system-mipsel qemu-system-mips64 qemu-system-ppc qemu-system-ppc64 qemu-system-s390x qemu-system-sparc qemu-system-xtensa
    qemu-system-avr qemu-system-m68k qemu-system-loongarch64`,
    {
      network: true,
      reads: true,
      critical: [
        [/\/dev\/(?:sd|nvme|vd|hd|disk|mapper|mmcblk|rdisk)/, "writes to a device"],
        [/hostfwd=\w+:(?!127\.|:)/, "lets others connect to this machine"],
      ],
    },
  ],
  [
    "goreleaser semantic-release release-it np",
    { critical: [[/^(?:release\b.*|(?!check|build|init|healthcheck|changelog).*)$/, PUBLISHES]] },
  ],
  ["gcalcli khal notmuch mbsync offlineimap", { network: true }],
];
