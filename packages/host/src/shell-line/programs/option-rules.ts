// Options of familiar programs that write a file, run a text or load something, where the program's own
// row says nothing of them; and paths outside that a formatter would change.

import { noteWholeProject } from "../note-whole-project.ts";
import {
  judgeBun,
  judgeDeno,
  judgeTsc,
  judgePairs,
  judgeCargo,
  judgeMakeShell,
  judgeRemoteBuild,
  judgeManage,
  judgeRailsTemplate,
  judgeTemplates,
  judgeDependencies,
  judgeExec,
  judgeJavaLog,
} from "./build-options.ts";
import {
  judgeCopyUrl,
  judgeOutfile,
  judgeSqlar,
  judgeMysqlShell,
  judgeSshSettings,
  judgeCurlOrders,
  judgeDuckEnvironment,
} from "./client-options.ts";
import {
  judgeVerbose,
  judgeXmlShell,
  judgeSplitExpression,
  judgeMiller,
  judgeLuau,
  judgeXmake,
} from "./text-options.ts";
import { judgeConsoleInput } from "./console-input.ts";
import type { LanguageRow } from "./language-row.ts";

const GO_FILES =
  /^-{1,2}(?:test\.)?(?:trace|cpuprofile|memprofile|blockprofile|mutexprofile|coverprofile|outputdir|fuzzcachedir|testlogfile|pkgdir)$/;

export const OPTION_RULES: readonly LanguageRow[] = [
  { names: "bun", extra: judgeBun },
  { names: "deno", lines: /^--eval$/, changes: /^fmt$/, extra: judgeDeno },
  {
    names: "babel-node esno esmo jiti vite-node swc-node ts-node-esm ts-node-dev sucrase-node",
    javascript: /^(?:-e|--eval|-p|--print)$/,
  },
  { names: "jscodeshift putout", asks: /^(?:--?[\w-]+=)?https?:\/\// },
  {
    names: "codemod",
    critical: [[/^(?!login|logout|list|search|help|init|build|learn)\S/, "runs what it downloads"]],
  },
  { names: "tsc vue-tsc", extra: judgeTsc },
  { names: "sass sass-embedded node-sass", extra: judgePairs },
  { names: "terraform tofu terragrunt", changes: /^fmt$/ },
  { names: "go", changes: /^(?:fmt|fix|generate)$/, writes: GO_FILES },
  { names: "gofmt goimports gofumpt", changes: /^-(?:w|l)$/ },
  { names: "pulumi", writes: /^(?:--file|--out|--output-file|--plaintext-file)$/ },
  { names: "ansible-vault", changes: /^(?:decrypt|encrypt|rekey|create|edit)$/ },
  {
    names: "gradle gradlew",
    asks: /^--gradle-distribution-url(?:=(?!https:\/\/services\.gradle\.org\/)|$)/,
  },
  { names: "mvn mvnw mvnd", writes: /^(?:-l|--log-file)$/ },
  { names: "cargo", extra: judgeCargo },
  { names: "rust-script", asks: /^(?:-e|--expr|-l|--loop|-d|--dep)$/ },
  { names: "vim vi nvim ex view gvim", extra: judgeVerbose },
  { names: "xmllint", extra: judgeXmlShell },
  { names: "yq", extra: judgeSplitExpression },
  { names: "mlr", extra: judgeMiller },
  { names: "magick convert mogrify", writes: /^-path$/ },
  { names: "xsv qsv xan", changes: /^(?:split|partition)$/, extra: judgeLuau },
  { names: "xmake", extra: judgeXmake },
  { names: "aria2c", writes: /^(?:-l|--log)$/ },
  { names: "rclone", extra: judgeCopyUrl },
  { names: "aws", extra: judgeOutfile },
  { names: "sqlite3", extra: judgeSqlar },
  { names: "mysqlsh", extra: judgeMysqlShell },
  { names: "mosh autossh", lines: /^--ssh$/ },
  { names: "ssh scp sftp autossh mosh", loads: /^-I$/, extra: judgeSshSettings },
  { names: "make gmake bmake", extra: judgeMakeShell },
  { names: "curl", extra: judgeCurlOrders },
  { names: "duckdb", extra: judgeDuckEnvironment },
  { names: "bazel bazelisk buck2", extra: judgeRemoteBuild },
  { names: "python python3 manage.py django-admin", extra: judgeManage },
  { names: "rails bin/rails", extra: judgeRailsTemplate },
  {
    names: "cookiecutter cruft copier mlflow raco",
    extra: judgeTemplates,
  },
  { names: "clojure clj", extra: judgeDependencies },
  { names: "gem pixi", extra: judgeExec },
  { names: "java javaw", extra: judgeJavaLog },
  {
    names: "hf huggingface-cli",
    extra: (call) => {
      if (call.args[0]?.text?.startsWith("upload")) noteWholeProject(call, call.args.slice(2));
    },
  },
  {
    names: `ipython ipython3 bpython ptpython sage xonsh python python3 pypy pypy3 manage.py django-admin uv poetry pipenv pdm hatch
      rye flask scrapy jupyter rails bin/rails bundle hanami spring rake php artisan sail sbt sbtx mill bloop scala scala-cli amm gap
      gforth gsi gauche chez gprolog erl iex apl dyalog sml coqtop idris idris2 agda lfe rebar3 lein`,
    extra: judgeConsoleInput,
  },
];
