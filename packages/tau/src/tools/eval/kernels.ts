// The kernels of one agent, one for each language, each started by its first cell.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "@tau/agent/tool";
import type { Kernel } from "@tau/host/kernel/kernel";
import { selfCommand } from "../../cli/self-command.ts";
import { childEnvironment } from "../bash/child-environment.ts";
import type { Workspace } from "../workspace.ts";
import type { EvalSettings } from "./settings.ts";

export const LANGUAGES = ["py", "js"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Beside the agent's directory: an environment for code that has none of its own. */
const MANAGED_ENVIRONMENT = "python-env";

export class KernelSet implements AsyncDisposable {
  readonly #workspace: Workspace;
  readonly #settings: EvalSettings;
  readonly #kernels = new Map<Language, Promise<Kernel>>();

  constructor(workspace: Workspace, settings: EvalSettings) {
    this.#workspace = workspace;
    this.#settings = settings;
  }

  /** Throws `ToolError` where the user has turned the language off. */
  kernel(language: Language): Promise<Kernel> {
    if (!this.#settings.eval[language]) {
      throw new ToolError(`Cells in ${language} are turned off (the setting eval.${language}).`);
    }
    let kernel = this.#kernels.get(language);
    if (!kernel) {
      kernel = language === "py" ? this.#python() : this.#javaScript();
      this.#kernels.set(language, kernel);
    }
    return kernel;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kernels = await Promise.all(this.#kernels.values());
    this.#kernels.clear();
    await Promise.all(kernels.map((kernel) => kernel[Symbol.asyncDispose]()));
  }

  async #python(): Promise<Kernel> {
    const { createPythonKernel } = await import("@tau/host/kernel/python-kernel");
    const { cwd, env, agentDirectory } = this.#workspace;
    const { interpreter } = this.#settings.python;
    return createPythonKernel({
      cwd,
      root: rootOf(cwd),
      env: childEnvironment(env),
      managed: join(dirname(agentDirectory), MANAGED_ENVIRONMENT),
      ...(interpreter === "" ? {} : { interpreter: this.#named(interpreter) }),
    });
  }

  async #javaScript(): Promise<Kernel> {
    const kernels = await import("@tau/host/kernel/javascript-kernel");
    const { cwd, env } = this.#workspace;
    return kernels.createJavaScriptKernel({
      command: selfCommand(["serve-cells"]) ?? kernels.cellsSourceCommand(),
      cwd,
      env: childEnvironment(env),
    });
  }

  /** A path as it is meant, a bare name as it is. */
  #named(interpreter: string): string {
    return interpreter.includes("/") ? this.#workspace.resolve(interpreter) : interpreter;
  }
}

/** The repository around a directory; without one, the directory itself. */
function rootOf(cwd: string): string {
  for (let directory = cwd; directory !== dirname(directory); directory = dirname(directory)) {
    if (existsSync(join(directory, ".git"))) return directory;
  }
  return cwd;
}
