// Which machine a client of containers, clusters or clouds talks to: options and variables can point it at
// this machine, where an emulator is thrown away at will, or at another one, where nothing is.

import type { CommandCall } from "../command-call.ts";
import type { Field } from "../field.ts";
import { isOwnMachine } from "../own-machine.ts";
import { targetsOf } from "../command-call.ts";
import { knownField } from "../field.ts";

const ENDPOINT =
  /^--(?:endpoint(?:-url|s)?|host|api-endpoint(?:-overrides)?|server|address|addr|connection-string)$/;
const ENDPOINT_VARIABLE =
  /^(?:AWS_ENDPOINT_URL(?:_\w+)?|LOCALSTACK_HOST|\w+_EMULATOR_HOST|CLOUDSDK_API_ENDPOINT_OVERRIDES_\w+|AZURE_STORAGE_CONNECTION_STRING|VAULT_ADDR|NOMAD_ADDR|CONSUL_HTTP_ADDR|MC_HOST_\w+|S3_ENDPOINT(?:_URL)?|RCLONE_S3_ENDPOINT|ETCDCTL_ENDPOINTS)$/;
const EMULATOR = /\bUseDevelopmentStorage=true\b|Endpoint=https?:\/\/(?:127\.0\.0\.1|localhost)/i;
/** Names of what people keep for themselves. */
const PRIVATE = /kind|k3d|k3s|minikube|microk8s|docker-desktop|rancher|colima|local|dev|test|ci\b/i;

function variablesOf({ environment, state }: CommandCall): [string, Field][] {
  return [...state.variables, ...environment];
}

function isHere(value: string): boolean {
  return isOwnMachine(value) || EMULATOR.test(value) || /^https?:\/\/localstack\b/.test(value);
}

/** An emulator on this machine: every end point that is named is one. */
export function isEmulated(call: CommandCall): boolean {
  const told = call.args.flatMap(({ text = "", prefix }, index) => {
    if (ENDPOINT.test(text)) return [call.args[index + 1]?.text ?? "?"];
    const glued = /^(--[\w-]+)=(.*)$/s.exec(text || prefix);
    if (glued && ENDPOINT.test(glued[1]!)) return [glued[2]!];
    const setting = /^Credentials:gs_(?:json_)?host=(.*)$/.exec(text)?.[1];
    return setting === undefined ? [] : [setting];
  });
  const isTold = told.length > 0;
  const set = isTold
    ? []
    : variablesOf(call)
        .filter(([name]) => ENDPOINT_VARIABLE.test(name))
        .map(([, { text }]) => text ?? "?");
  const all = [...told, ...set];
  return all.length > 0 && all.every(isHere);
}

const CONTAINERS = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/;
const CLUSTERS = /^(?:kubectl|oc|helm|helmfile|kustomize|istioctl|flux|argocd|velero|skaffold)$/;
const CHANGES_CONTAINERS =
  /\b(?:rm|rmi|stop|kill|down|up|run|exec|prune|restart|update|create|cp|load|import|start|pause|build|deploy|scale|rename|commit)\b/;
const CHANGES_CLUSTER =
  /\b(?:apply|create|delete|exec|cp|scale|rollout|install|upgrade|uninstall|rollback|sync|run|patch|replace|set|edit)\b/;

/** Why what it changes is not this machine's; undefined if it is, or if it only looks. */
export function changesElsewhere(call: CommandCall, words: string): string | undefined {
  const { name } = call;
  const valueOf = (variable: string): Field | undefined =>
    call.environment.get(variable) ?? call.state.variables.get(variable);
  if (CONTAINERS.test(name) && CHANGES_CONTAINERS.test(words)) {
    const host = valueOf("DOCKER_HOST") ?? valueOf("CONTAINER_HOST");
    const context = valueOf("DOCKER_CONTEXT") ?? valueOf("CONTAINER_CONNECTION");
    const isFar =
      host && !/^(?:unix|npipe|fd):|^$/.test(host.text ?? "?") && !isHere(host.text ?? "?");
    const isNamed =
      context &&
      !/^(?:default|desktop-linux|orbstack|colima\S*|rootless|)$/.test(context.text ?? "?");
    if (isFar || isNamed) return "changes containers of another machine";
  }
  if (!CLUSTERS.test(name) || !CHANGES_CLUSTER.test(words)) return undefined;
  const config = valueOf("KUBECONFIG")?.text;
  const given = call.args.flatMap(({ text = "" }, index) =>
    text === "--kubeconfig"
      ? (call.args[index + 1]?.text ?? [])
      : (/^--kubeconfig=(.*)$/.exec(text)?.[1] ?? []),
  );
  const isFar = [...(config === undefined ? [] : [config]), ...given].some((path) => {
    if (path === "" || PRIVATE.test(path) || path.endsWith(".kube/config")) return false;
    const place = path.replace(/^~(?=\/)/, call.context.home);
    return targetsOf(call, knownField(place)).some(({ place: found }) => found === "outside");
  });
  return isFar ? "changes what runs in another cluster" : undefined;
}

/** Everybody may read it, or more. */
const EVERYBODY =
  /\ball(?:Authenticated)?Users\b|\bpublic-read(?:-write)?\b|^--acl-public$|"(?:Principal|AWS)"\s*:\s*"\*"|^--public-access(?:=(?!off|none|disabled).*)?$|\ballow_public\b|^--allow-unauthenticated$|^--no-block-public/i;

export function opensToEverybody({ name, args }: CommandCall): boolean {
  if (
    /^mc$/.test(name) &&
    /^(?:anonymous|policy) set(?:-json)? (?!none|private)/.test(
      args.map(({ text }) => text ?? "?").join(" "),
    )
  )
    return true;
  return args.some(
    ({ text }, index) =>
      EVERYBODY.test(text ?? "") && !/^--(?:filter|query|format)/.test(args[index - 1]?.text ?? ""),
  );
}
