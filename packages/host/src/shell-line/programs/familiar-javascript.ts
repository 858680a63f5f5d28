// Familiar programs of JavaScript and TypeScript: bundlers, frameworks, test runners, linters, and
// the packages that are run through npx and its kin.

import type { FamiliarGroup } from "./familiar-row.ts";

/** They look at files and say what they think; what they write is named by an option. */
const CHECKERS = `
  jslint jshint standard xo tslint oxlint stylelint htmlhint htmllint html-validate markdownlint markdownlint-cli
  markdownlint-cli2 remark alex write-good cspell textlint commitlint lint-staged depcheck knip madge dependency-cruiser
  depcruise unimported ts-prune ts-unused-exports tsd dtslint attw publint size-limit bundlesize
  bundlewatch source-map-explorer webpack-bundle-analyzer license-checker licensee npm-check npm-check-updates ncu
  npq audit-ci better-npm-audit snyk lockfile-lint ls-engines check-dts type-coverage typesync eslint_d flow
  vue-tsc svelte-check glint ngcc astro-check tsc-files are-the-types-wrong redocly spectral swagger-cli
  openapi-diff ajv ajv-cli jsonlint jsonlint-mod yaml-lint yamllint-ts envinfo browserslist caniuse jscpd plato es-check
  is-ci wait-on wait-port detect-port syncpack manypkg sherif linkinator pa11y lighthouse lhci unlighthouse
  tldr cowsay fx json json5 semver mime prettyjson jsonpath js-yaml gron jwt-cli cost-of-modules cloc-js
  package-size howfat bundle-phobia-cli`;

/** They build, test, generate or serve what is in the directory. */
const BUILDERS = `
  webpack webpack-cli webpack-dev-server rollup parcel vite vitest esbuild-runner swc babel babel-node rspack rsbuild
  rslib rolldown rolldown-vite farm tsup tsdown unbuild microbundle bunchee pkgroll ncc vercel-ncc pkg nexe snowpack wmr gulp grunt broccoli brunch
  browserify watchify metro fuse-box neutrino poi preconstruct tsdx np-build dts-bundle-generator api-extractor
  typedoc jsdoc documentation docco esdoc storybook start-storybook build-storybook sb chromatic histoire ladle
  jest mocha ava tap tape uvu karma jasmine qunit wtr web-test-runner playwright cypress testcafe nightwatch wdio
  webdriver-manager protractor puppeteer cucumber-js cucumber c8 nyc istanbul stryker zora brittle node-tap lab
  bench tinybench autocannon clinic 0x hyperid
  next nuxt nuxi gatsby remix react-router react-scripts craco vue-cli-service vue ng angular ember svelte-kit svelte sv
  astro eleventy hexo gridsome docusaurus vuepress vitepress nextra quasar ionic capacitor cap cordova expo react-native
  rnx-cli eas-build electron electron-builder electron-forge electron-packager electron-rebuild neutralino tauri
  nest nx lerna turbo rush rushx lage wireit moon bolt wsrun ultra-runner oao beachball changeset changesets auto-changelog
  conventional-changelog standard-version bumpp bump nps npm-run-all npm-run-all2 run-s run-p run-z npm-watch
  husky simple-git-hooks lefthook patch-package syncpack-fix yalc
  graphql-codegen gql-gen openapi openapi-typescript openapi-typescript-codegen openapi-generator openapi-generator-cli orval swagger-codegen swagger-typescript-api kubb hey-api
  json2ts json-schema-to-typescript quicktype typescript-json-schema ts-json-schema-generator barrelsby ctix tsc-alias tsc-watch tsc-multi
  tspath tsconfig-paths ts-patch ttsc ts-node-dev tsnd ts-node-esm swc-node esno esmo jiti vite-node bun-types nodemon-run
  tailwindcss tailwind postcss sass-lint node-sass sass-embedded stylus unocss windicss lightningcss linaria purgecss critical penthouse
  clean-css-cli cleancss terser uglifyjs uglify-js html-minifier html-minifier-terser imagemin svgo svgr svg-sprite sharp-cli squoosh-cli
  sprite-smith icon-gen pwa-asset-generator workbox sw-precache critters
  drizzle-kit prisma typeorm sequelize sequelize-cli knex mikro-orm kysely kysely-codegen db-migrate node-pg-migrate
  pgtyped zapatos slonik umzug objection migrate-mongo graphile-worker postgraphile graphile-migrate
  plop hygen yo create-react-app create-next-app create-vite create-vue create-svelte create-remix create-astro create-expo-app
  create-t3-app create-turbo create-nx-workspace create-electron-app create-docusaurus create-rsbuild create-tauri-app create-hono
  shadcn shadcn-ui shadcn-svelte msw i18next i18next-parser formatjs lingui react-email email swagger-jsdoc
  tree-sitter assemblyscript asc wasm-opt wasm2wat wat2wasm wasm-objdump jco
  all-contributors doctoc markdown-toc prettier-package-json sort-package-json fixpack synp npm-merge-driver
  jscodeshift codemod ts-migrate putout ast-grep sg-cli comby biome rome dprint prettierd prettier-eslint rustywind
  tsx-watch nodemon-ts cross-spawn sucrase flow-remove-types esm-bundle esbuild-wasm
  turbo-gen syncpack-format only-allow check-node-version dotenvx dotenv-linter
  mitosis qwik stencil lit-analyzer custom-elements-manifest cem elm elm-test elm-format elm-review elm-make purs spago
  coffee livescript reason rescript bsb esy imba civet marko solid-start waku fresh redwood rw blitz keystone strapi
  payload directus medusa adonis ace feathers sails loopback moleculer-runner foal
  sst-build esbuild-serve fastify hono micro nodecg slidev marp reveal-md mdx-deck mdbook-js marked markdown-it showdown
  inky mjml ejs pug pug-cli nunjucks handlebars mustache hbs-cli art-template
  tap-spec tap-dot faucet mochawesome-merge marge junit-viewer allure allure-commandline happo backstop loki reg-suit`;

/** They serve on this machine, or fetch from others. */
const SERVERS = `
  kill-port web-ext update-browserslist-db json-server serve http-server live-server browser-sync local-web-server ws superstatic sirv sirv-cli lite-server
  verdaccio miniflare workerd nitropack mockoon-cli prism stubby smocker
  artillery loadtest k6-js speed-test fast-cli degit giget tiged npm-name license npm-home
  npkill`;

export const FAMILIAR_JAVASCRIPT: readonly FamiliarGroup[] = [
  [CHECKERS, { reads: true }],
  [BUILDERS, {}],
  [SERVERS, { network: true }],
];
