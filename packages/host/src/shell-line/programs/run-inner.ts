// Commands inside commands: `npx x`, `uv run x`, `docker exec c x`, `aws-vault exec p -- x`. The inner
// command is found among the arguments and judged as if it stood there itself.

import type { CommandCall } from "../command-call.ts";
import { addReads, readArguments, valuesOf } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { judgeVerbs, takeOver } from "../judge-unknown.ts";

/** What follows them is a command. */
const RUNNING =
  /^(?:run|exec|x|dlx|call|shell|develop|ssh|console|with|env|--|-c|--command|--run|bash|sh)$/;
/** Each costs a walk of its own. */
const MAX_INNER = 6;
/** Of scopes whose packages are tools that everybody uses. */
const FAMILIAR_SCOPE =
  /^@(?:biomejs|tailwindcss|angular|angular-devkit|11ty|redocly|changesets|openapitools|storybook|playwright|vue|nestjs|nrwl|nx|graphql-codegen|swc|babel|sveltejs|ionic|capacitor|expo|react-native-community|react-native|electron-forge|electron|svgr|commitlint|stoplight|hey-api|tanstack|typescript|typescript-eslint|eslint|arethetypeswrong|microsoft|vitejs|remix-run|astrojs|docusaurus|rsbuild|rspack|stryker-mutator|lingui|formatjs|mermaid-js|prisma|next|axe-core|lhci|web|custom-elements-manifest|qwik\.dev|shadcn|jest|mikro-orm|typespec|bufbuild|rollup|parcel|marp-team|slidev|antfu|sourcegraph|cyclonedx|pnpm|yarnpkg|npmcli|lerna-lite|moonrepo|wdio|cucumber|pact-foundation|apidevtools|asyncapi|kubb|tauri-apps|sentry|percy|size-limit|release-it|semantic-release)\//;
const SCAFFOLD = /^(?:@[\w.-]+\/)?create(?:-[\w.-]+)?$/;
const SERVING = /^(?:serve|http-server|localtunnel|ngrok|live-server|local-web-server)$/;
const TUNNEL = /^(?:localtunnel|lt|ngrok|cloudflared|untun|tunnelmole|tmole|bore|serveo)$/;

/** Whatever stands before it: here a known program begins, perhaps. Only what somebody must agree to counts. */
export function judgeInner(
  call: CommandCall,
  /** The command runs here: what cannot be told of it counts as well. */
  { isHere = false }: { isHere?: boolean } = {},
): void {
  const { args, walk, effects } = call;
  const from = args.findIndex(({ text }) => RUNNING.test(text ?? ""));
  if (from < 0) return;
  let tries = 0;
  for (let index = from + 1; index < args.length && tries < MAX_INNER; index++) {
    const text = exactText(args[index]);
    if (text === undefined || text.startsWith("-")) continue;
    if (/\s/.test(text)) {
      tries++;
      takeOver(effects, walk.probeText(call, text), false);
    } else if (walk.isProgram(text.slice(text.lastIndexOf("/") + 1))) {
      const found = walk.probeArguments(call, args.slice(index));
      takeOver(effects, found, isHere && tries === 0);
      tries++;
    }
  }
}

/** A package by its address is a download; one that nobody knows may be anything. */
export function judgeRunner(call: CommandCall, operands: readonly Field[]): void {
  const { effects, args } = call;
  judgeVerbs(call);
  // The package itself, or the value of `-p`.
  const packages = operands[0] ? args.slice(0, args.indexOf(operands[0]) + 1) : args;
  const isAddress = packages.some(({ text }) =>
    /^(?:--?[\w-]+=)?(?:https?:|git\+|github:|gitlab:|file:\/\/)/.test(text ?? ""),
  );
  if (isAddress) effects.downloadsAndExecutes = true;
  const read = readArguments(packages, "p package c call from with");
  for (const { text } of valuesOf(read, "c call")) {
    if (text === undefined) effects.unknown.push("its command is only known when it runs");
    else call.walk.runText(call, text);
  }
  for (const { text } of valuesOf(read, "p package from")) judgeFamiliar(call, text ?? "?");
  const [first] = operands;
  if (!first || first.text === undefined) return noteOpen(call, first);
  const { bare, program } = packageName(first.text);
  const rest = args.slice(args.indexOf(first) + 1);
  if (TUNNEL.test(program)) effects.critical.push("opens this machine to others");
  if (SERVING.test(program)) {
    effects.sends = true;
    addReads(
      call,
      rest.filter(({ text }) => !text?.startsWith("-")),
      { isDeep: true },
    );
  }
  if (isAddress || /^[./]/.test(bare)) return;
  // `npx --package x y`: y is a program of x.
  if (read.values.has("p") || read.values.has("package") || read.values.has("from")) return;
  if (call.walk.isProgram(program) && (!bare.startsWith("@") || FAMILIAR_SCOPE.test(bare))) {
    call.walk.runArguments(call, [knownField(program), ...rest]);
  } else judgeFamiliar(call, bare);
}

/** Starters that everybody uses: `npm create vite` runs the package create-vite. */
const STARTERS =
  /^(?:vite|vite-extra|next-app|next|react-app|react-router|react-native-app|react-native-library|svelte|sv|vue|astro|expo|expo-app|expo-stack|t3-app|t3-turbo|remix|remix-app|hono|hono-app|solid|solid-start|qwik|tauri-app|electron-vite|electron-app|electron|docusaurus|turbo|nx-workspace|nx-plugin|rsbuild|rspack|rslib|nuxt|nuxt-app|nuxi|preact|elysia|cloudflare|payload-app|medusa-app|strapi-app|strapi|redwood-app|rwjs|gatsby|ink-app|playwright|wxt|plasmo|sanity|storybook|umi|farm|fastify|adonisjs|adonis-ts-app|mastra|llama|convex|tanstack|tsrouter-app|start|start-app|waku|slidev|vitepress|analog|angular|lit|stencil|initializer|eslint-config|tsdown|typescript-app|better-t-stack|better-auth|shopify-app|chakra|refine-app|ui5-app|phaser|three-app|xrp|eth|wagmi|solana-dapp|dapp|rainbowkit|video|remotion|foundry-app|discord-bot|bun|react|esm|jsr|rstack|tsup|obsidian-plugin|figma-plugin|vscode-extension|probot-app|nodejs-app|nestjs-app|nest-app|expressjs|jest-runner|lerna-app|mcp|mcp-server|mcp-app|assistant-ui|cedar-app|fumadocs-app|rari-app|one|vinxi|vike|vxrn|vuepress|vuepress-theme-hope|quasar|ionic|sst|serverless|svelte-with-args|instant-app|pandacss|panda|tamagui|tamagui-app|awesome-node-app|node-app|node-lib|ts-lib|library|cypress|wdio|video-js|web-ext|snowpack-app|parcel|single-spa|nitro|h3|nitro-app|toolpad-app|mui|mantine-app|directus-extension|directus-project|n8n-node|keystone-app|apostrophe|contentful-app|contentlayer|docus|motia|langchain|langgraph|deepagents|agent)$/;
const STARTER_SCOPE =
  /^@(?:vitejs|eslint|quick-start|vue|nuxt|sveltejs|angular|nestjs|playwright|wdio|storybook|shopify|cloudflare|tanstack|tauri-apps|electron-forge|expo|react-native-community|remix-run|redwoodjs|astrojs|docusaurus|rsbuild|ionic|capacitor|modern-js|umijs|farm|farmfe|typescript-eslint|microsoft|azure|aws-amplify|aws|google|firebase|supabase|prisma|hono|lit|open-wc|web|stencil|qwik\.dev|solidjs|analogjs|nx|nrwl|graphql-yoga|apollo|strapi|payloadcms|medusajs|sanity|directus|contentful|grafana|backstage|elastic|sentry|n8n|modelcontextprotocol|vscode|raycast|slidev|vuepress|vitepress|antfu|latest)(?:\/|@|$)/;

/** `npm create x`, `npm init x`, `yarn create x`: the package create-x is fetched and run. */
export function judgeStarter(call: CommandCall, field: Field | undefined): void {
  if (!field) return;
  const { text } = field;
  if (text === undefined) return noteOpen(call, field);
  if (/^(?:https?:|git\+|github:|[./~]|file:)/.test(text) || /^[\w-]+\/[\w.-]+$/.test(text)) {
    if (!/^[./~]|^file:/.test(text)) call.effects.downloadsAndExecutes = true;
    return;
  }
  const { bare } = packageName(text);
  if (!isStarter(call, bare)) call.effects.unknown.push(`it is not known what create-${bare} does`);
}

function isStarter({ walk }: CommandCall, name: string): boolean {
  if (name.startsWith("@")) return STARTER_SCOPE.test(name) || FAMILIAR_SCOPE.test(`${name}/`);
  return STARTERS.test(name) || walk.isProgram(`create-${name}`);
}

function noteOpen({ effects }: CommandCall, field: Field | undefined): void {
  if (field) effects.unknown.push("its command is only known when it runs");
}

/** Without the version. */
function packageName(text: string): { bare: string; program: string } {
  const bare = text.replace(/(?<=.)(?:@[^/@]*|[=<>~!]=?.*)$/, "");
  return { bare, program: bare.slice(bare.lastIndexOf("/") + 1) };
}

function judgeFamiliar(call: CommandCall, given: string): void {
  const { bare, program } = packageName(given);
  const isKnown = call.walk.isProgram(program) && !bare.startsWith("@");
  if (!isKnown && !isFamiliar(call, bare, program))
    call.effects.unknown.push(`it is not known what ${bare} does`);
}

function isFamiliar(call: CommandCall, bare: string, program: string): boolean {
  const { context, state } = call;
  if (FAMILIAR_SCOPE.test(bare)) return true;
  // `npx create-vite`, `npx @scope/create-x`
  if (SCAFFOLD.test(bare) && isStarter(call, bare.replace(/^create-|\/create(?:-.*)?$/, "")))
    return true;
  const places = [context.workspace, ...(state.directories ?? [])];
  return places.some((place) => context.exists?.(`${place}/node_modules/.bin/${program}`) === true);
}
