// Containers, clusters, clouds, and where code is kept for everybody.

import { CLOUD, LOGIN, PUBLISHES, type ToolRow } from "./tool-row.ts";

const CONTAINER = "deletes the data of containers";
const CLUSTER = "deletes from a cluster";
const DOCKER_GLOBALS =
  "H host c context config l log-level f file p project-name profile env-file project-directory ansi";
const DOCKER: ToolRow = {
  isContainer: true,
  globals: DOCKER_GLOBALS,
  looks:
    /^(?:ps|images|logs|inspect|version|info|stats|top|port|diff|history|(?:image|container|volume|network) (?:ls|inspect)|compose (?:ps|logs|config|ls|images))\b/,
  flags:
    /^(?:-[aqnsftlw]+|--(?:all|quiet|no-trunc|filter|format|latest|last|size|tail|since|until|follow|timestamps|no-stream|type|services|volumes|images)(?:=.*)?|\d+)$/,
  critical: [
    [/^(?:system|volume|container) prune\b|^system reset\b/, CONTAINER],
    [/^image prune\b.* (?:-\w*a\w*|--all)(?: |$)/, "deletes images that no container uses now"],
    [/^image prune\b(?!.* (?:-\w*a\w*|--all)(?: |$))/, "deletes images without a name"],
    [/^(?:builder|buildx) prune\b/, "deletes the cache of builds"],
    [/^network prune\b/, "deletes networks that no container uses now"],
    [
      /\b(?:run|create|update)\b.* --restart[= ]?(?:always|unless-stopped)\b/,
      "starts what outlives this session",
    ],
    [/^(?:container )?(?:rm|remove|kill)\b.*\?/, "deletes or stops containers that only it knows"],
    [
      /^(?:container )?(?:rm|stop|kill)\b.* (?:-\w*a\w*|--all)(?: |$)/,
      "deletes or stops containers that only it knows",
    ],
    [/^service (?:scale|update|rollback)\b/, CLUSTER],
    [/^(?:container )?rm\b.* (?:-\w*v\w*|--volumes)(?: |$)/, CONTAINER],
    [
      /^(?=.*(?:^| )(?:-H|--host|-c|--context)[= ]?\S*(?:tcp|ssh):\/\/).*\b(?:rm|rmi|stop|kill|down|run|exec|prune|restart|update|create|cp|load|import)\b/,
      "changes containers of another machine",
    ],
    [/^context (?:use|rm|update|create)\b/, "changes which machine is meant"],
    [/^(?:machine|vm) (?:rm|reset|stop)\b/, CONTAINER],
    [/^volume (?:rm|remove)\b/, CONTAINER],
    [/^compose (?:.* )?down\b.* (?:-\w*v|--volumes|--rmi)/, CONTAINER],
    [/^compose (?:.* )?rm\b.* -\w*v/, CONTAINER],
    [/^(?:swarm leave|stack rm|service rm|node rm)\b/, CLUSTER],
    [
      /\b(?:run|create)\b.* (?:--privileged|--pid[= ]host|-v[= ]?\/(?::|\s)|--volume[= ]\/:|-v[= ]?\/var\/run\/docker\.sock|--mount[= ]\S*(?:source|src)=\/(?:,|\s))/,
      "gives a container the whole machine",
    ],
    [/^(?:image )?push\b|^compose push\b|\bbuild\b.* --push\b/, PUBLISHES],
  ],
  writes: "iidfile cidfile metadata-file",
};

const TERRAFORM: ToolRow = {
  isShared: true,
  globals: "chdir",
  looks: /^(?:version|fmt -check)\b/,
  critical: [
    [
      /^(?:destroy|apply|import|taint|untaint|force-unlock)\b/,
      "changes machines that others rely on",
    ],
    [/^state (?:rm|mv|push|replace-provider)\b/, "changes machines that others rely on"],
    [/^workspace delete\b/, "changes machines that others rely on"],
  ],
  writes: "out state-out backup",
};

export const CLUSTER_TOOLS: Readonly<Record<string, ToolRow>> = {
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  "docker-compose": {
    globals: DOCKER_GLOBALS,
    critical: [
      [/^(?:.* )?down\b.* (?:-\w*v|--volumes|--rmi)/, CONTAINER],
      [/^(?:.* )?rm\b.* -\w*v/, CONTAINER],
    ],
  },
  kubectl: {
    globals:
      "n namespace context cluster user s server as token request-timeout v l selector field-selector o output f filename c container",
    looks:
      /^(?:get|describe|logs|explain|version|api-resources|config (?:view|get-contexts|current-context))\b/,
    flags:
      /^(?:-[nAowlLfcp]|-o\w+|-n\S+|--(?:namespace|all-namespaces|output|watch|selector|field-selector|show-labels|sort-by|context|tail|since|previous|container|all-containers|no-headers|follow|timestamps|client|short)(?:=.*)?)$/,
    critical: [
      [/^(?:delete|drain|cordon|evict|taint)\b/, CLUSTER],
      [/^(?:replace|apply)\b.* --(?:force|prune)\b/, CLUSTER],
      [/^scale\b.* --replicas[= ]0\b/, CLUSTER],
      [
        /^(?:apply|create|replace|set|patch|edit|annotate|label)\b.* (?:-f|--filename)[= ]?https?:/,
        "runs what it downloads",
      ],
      [/^(?:proxy|port-forward)\b.* --address[= ](?!localhost|127\.)/, "opens a cluster to others"],
      [
        /^(?:patch|edit|replace|set|label|annotate|autoscale|expose|run|debug)\b/,
        "changes what runs in a cluster",
      ],
      [
        /^(?:create|apply)\b.*(?:clusterrolebinding|rolebinding)/,
        "changes who has access to a cluster",
      ],
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
    critical: [
      [/^(?:uninstall|delete|del|un|rollback)\b/, CLUSTER],
      [/^push\b/, PUBLISHES],
    ],
    writes: "output-dir d destination",
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  pulumi: {
    globals: "C cwd s stack",
    critical: [
      [
        /^(?:up|update|destroy|stack rm|cancel|state delete)\b/,
        "changes machines that others rely on",
      ],
    ],
  },
  ansible: {
    critical: [
      [
        /(?:-m|--module-name)[= ](?!ping\b|setup\b|debug\b|gather_facts\b|stat\b)|(?:-a|--args)[= ]/,
        "changes machines that others rely on",
      ],
    ],
  },
  vagrant: { critical: [[/^destroy\b/, "deletes a machine"]] },
  aws: {
    isShared: true,
    isClosed: true,
    globals:
      "profile region endpoint-url output query ca-bundle cli-read-timeout cli-connect-timeout color",
    critical: [
      [
        /^s3 (?:rm|rb)\b|\bdelete-|\bterminate-|\bdestroy-|\bpurge-|\bderegister-|\bdisable-|\bdelete\b|\bremove-|\bdetach-/,
        CLOUD,
      ],
      [/^s3 (?:mv|sync\b.*--delete)\b/, CLOUD],
      [/^configure(?! (?:list|get|export|list-profiles)\b)/, "changes a place for credentials"],
    ],
    sends: /^s3 (?:cp|sync|mv) (?!s3:)|^s3api put-object\b|\bput-|\bsend-|\bpublish\b|\binvoke\b/,
  },
  gcloud: {
    isShared: true,
    isClosed: true,
    globals: "project account configuration format region zone verbosity",
    critical: [
      [/\b(?:delete|remove-iam-policy-binding|destroy)\b/, CLOUD],
      [/^(?:storage rm)\b/, CLOUD],
      [/^(?:auth (?:login|revoke)|config set)\b/, LOGIN],
    ],
    sends: /^storage (?:cp|rsync)\b/,
  },
  gsutil: {
    globals: "o h u",
    critical: [[/^(?:-m )?(?:rm|rb|rsync .*-d|mv)\b/, CLOUD]],
    sends: /^(?:cp|rsync|mv)\b/,
  },
  az: {
    isShared: true,
    isClosed: true,
    globals: "subscription o output query g resource-group",
    critical: [
      [/\b(?:delete|purge)\b/, CLOUD],
      [/^(?:login|logout|account (?:set|clear))\b/, LOGIN],
    ],
    sends: /\bupload\w*\b/,
  },
  rclone: {
    globals: "config",
    critical: [[/^(?:delete|purge|deletefile|rmdirs?|sync|move|moveto|cleanup|dedupe)\b/, CLOUD]],
    sends: /^(?:copy|copyto|copyurl|serve|rcat|mount)\b/,
  },
  s3cmd: {
    globals: "c config",
    critical: [[/^(?:del|rm|rb|mv|expire)\b/, CLOUD]],
    sends: /^(?:put|sync)\b/,
  },
  mc: { critical: [[/^(?:rm|rb|mirror .*--remove)\b/, CLOUD]], sends: /^(?:cp|mirror|pipe)\b/ },
  heroku: {
    isShared: true,
    globals: "a app",
    critical: [
      [/^(?:apps:destroy|destroy|pg:reset|addons:destroy|config:unset|ps:scale)\b/, CLOUD],
      [
        /^(?:config:(?:set|edit)|pg:(?:push|copy|killall|backups:restore)|access:|members:|maintenance:on|releases:rollback|container:release|pipelines:promote|domains:(?:add|remove))/,
        "changes what others rely on",
      ],
    ],
  },
  fly: { isShared: true, globals: "a app", critical: [[/\b(?:destroy|delete)\b/, CLOUD]] },
  flyctl: { isShared: true, globals: "a app", critical: [[/\b(?:destroy|delete)\b/, CLOUD]] },
  vercel: {
    globals: "t token S scope cwd",
    critical: [
      [/^(?:rm|remove|env rm|domains rm|project rm|--prod|deploy --prod)\b/, CLOUD],
      [/(?:^| )--prod\b/, PUBLISHES],
    ],
    sends: /^(?:deploy|$)/,
  },
  netlify: {
    critical: [
      [/^(?:sites:delete)\b/, CLOUD],
      [/^deploy\b.*--prod\b/, PUBLISHES],
    ],
    sends: /^deploy\b/,
  },
  wrangler: {
    isShared: true,
    globals: "c config e env",
    critical: [
      [/^(?:delete|kv:?\S* ?(?:key )?delete|r2 bucket delete|d1 delete)\b/, CLOUD],
      [/^(?:deploy|publish)\b/, PUBLISHES],
      [
        /^(?!.* --local\b)(?:(?:kv\S*|r2)\b.* (?:put|bulk)\b|secret(?::| )(?:put|bulk)|d1 execute\b.*--remote)/,
        "changes what others rely on",
      ],
    ],
  },
  firebase: {
    globals: "P project",
    critical: [
      [/(?:delete|firestore:delete|database:remove|hosting:disable)\b/, CLOUD],
      [/^deploy\b/, PUBLISHES],
    ],
  },
  doctl: {
    isShared: true,
    globals: "t access-token c context",
    critical: [[/\b(?:delete|rm|destroy)\b/, CLOUD]],
  },
  gh: {
    globals: "R repo hostname",
    writes: "D dir",
    looks:
      /^(?:(?:pr|issue|run|release|repo|workflow|gist|label) (?:view|list|status|diff|checks)|auth status|status)\b/,
    flags:
      /^(?:-[RLsSlAaHBjqcn]|--(?:repo|limit|state|json|jq|comments|label|author|assignee|search|head|base|log|log-failed|name-only|patch|branch|workflow|web|required)(?:=.*)?)$/,
    critical: [
      [
        /^(?:repo|release|gist|secret|variable|ssh-key|gpg-key|label|cache|codespace|issue|run|ruleset|extension|project) (?:delete|remove|rm|archive|rename|transfer)\b/,
        "deletes from GitHub",
      ],
      [/^release (?:create|upload)\b/, PUBLISHES],
      [
        /^(?:auth (?:login|logout|refresh|token|setup-git|switch)|ssh-key add|gpg-key add|secret set|repo deploy-key)\b/,
        LOGIN,
      ],
      [/^repo edit\b.*--visibility/, "changes who sees a repository"],
      [
        /^pr merge\b|^pr close\b.*(?:-d\b|--delete-branch)|^workflow (?:disable|enable)\b/,
        "changes something for everybody",
      ],
      [/^api\b.*(?:-X|--method)[= ]?(?:DELETE|PUT|PATCH)\b/i, "changes something on GitHub"],
      // Answers and new things are work; the rest changes what others see.
      [
        /^api graphql\b.*\bmutation\b(?!\s*(?:\w+\s*)?(?:\([^)]*\))?\s*\{\s*(?:\w+\s*:\s*)?(?:add|create|resolve|unresolve|request|mark|submit|subscribe)\w*)/s,
        "changes something on GitHub",
      ],
      [
        /^api graphql\b.*\bmutation\b.*\b(?:delete|remove|transfer|archive|merge|close)[A-Z]\w*/s,
        "changes something on GitHub",
      ],
      [
        /^workflow run\b.*(?:deploy|release|publish|prod|destroy|rollback|teardown|delete|migrat)/i,
        "changes something for everybody",
      ],
    ],
    sends:
      /^(?:gist create|(?:issue|pr) (?:create|comment|edit|review|close)|api\b.*(?:-f|-F|--field|--raw-field|--input)|repo create|workflow run)\b/,
  },
  glab: {
    globals: "R repo",
    critical: [
      [/\bdelete\b/, "deletes from GitLab"],
      [/^auth\b/, LOGIN],
      [/^mr merge\b/, "merges for everybody"],
      [/^api\b.*(?:-X|--method)[= ]?(?:DELETE|PUT|PATCH)\b/i, "changes something on GitLab"],
      [/^api graphql\b.*\bmutation\b/s, "changes something on GitLab"],
    ],
    sends: /\b(?:create|note|upload)\b/,
  },
  serverless: {
    isShared: true,
    globals: "c config s stage r region",
    critical: [[/^(?:remove|rollback)\b/, CLOUD]],
  },
  sls: {
    isShared: true,
    globals: "c config s stage r region",
    critical: [[/^(?:remove|rollback)\b/, CLOUD]],
  },
  etcdctl: { globals: "endpoints user", critical: [[/^(?:del|rm|rmdir|compaction)\b/, CLUSTER]] },
  consul: { critical: [[/\bdelete\b|^leave\b/, CLUSTER]] },
  hub: { critical: [[/^(?:delete|release (?:create|delete|edit))\b/, "deletes from GitHub"]] },
};
