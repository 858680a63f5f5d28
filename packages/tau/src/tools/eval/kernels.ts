// The kernels of one agent, one for each language, each started by its first cell.

import { dirname, join } from "node:path";
import { ToolError } from "@tau/agent/tool";
import type { Kernel } from "@tau/host/kernel/kernel";
import type { ProcessWrapper } from "@tau/host/process/process-wrapper";
import { selfCommand } from "../../base/self-command.ts";
import { childEnvironment } from "../bash/child-environment.ts";
import { UserError } from "../../user-error.ts";
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
  readonly #started = new Map<Language, Kernel>();
  /** Of the sandbox that the kernel was started in. */
  readonly #generations = new Map<Language, number | undefined>();
  #remark: string | undefined;

  constructor(workspace: Workspace, settings: EvalSettings) {
    this.#workspace = workspace;
    this.#settings = settings;
  }

  /** Throws `ToolError` where the user has turned the language off. */
  async kernel(language: Language): Promise<Kernel> {
    if (!this.#settings.eval[language]) {
      throw new ToolError(`Cells in ${language} are turned off (the setting eval.${language}).`);
    }
    let kernel = this.#kernels.get(language);
    if (!kernel) {
      const starting = language === "py" ? this.#python() : this.#javaScript();
      kernel = starting.then((started) => {
        this.#started.set(language, started);
        return started;
      });
      this.#kernels.set(language, kernel);
    }
    await this.#restartIfFree(language, await kernel);
    return kernel;
  }

  /** A kernel that runs in another sandbox than the one that is wanted by now is started anew. */
  async #restartIfFree(language: Language, kernel: Kernel): Promise<void> {
    const generation = this.#workspace.confinement?.generation;
    const started = this.#generations.get(language);
    if (kernel.isBusy) return;
    this.#generations.set(language, generation);
    if (started === generation || !kernel.hasState) return;
    await kernel.reset();
    this.#remark = `[the sandbox has changed: the ${language} kernel was started anew, and what its cells defined is gone]`;
  }

  readonly #wrapper = async (): Promise<ProcessWrapper | undefined> => {
    const { confinement, shells } = this.#workspace;
    try {
      if (!confinement) return shells.place.enter;
      const sandbox = await confinement.open();
      return sandbox.wrapper({ profile: "kernel", writes: shells.place.writable });
    } catch (error) {
      // A sandbox is wanted and cannot be had: nothing runs without it.
      if (error instanceof UserError) throw new ToolError(`Not run: ${error.message}`);
      throw error;
    }
  };

  /** Where the next cell of this language runs. */
  directory(language: Language): string {
    return this.#started.get(language)?.directory ?? this.#workspace.cwd;
  }

  /** What whoever reads the cells' output should know of the kernels; once. */
  takeRemark(): string {
    const remark = this.#remark ?? "";
    this.#remark = undefined;
    return remark;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kernels = await Promise.all(this.#kernels.values());
    this.#kernels.clear();
    await Promise.all(kernels.map((kernel) => kernel[Symbol.asyncDispose]()));
  }

  async #python(): Promise<Kernel> {
    const [{ createPythonKernel }, { pythonEnvironments }] = await Promise.all([
      import("@tau/host/kernel/python-kernel"),
      import("./python-environments.ts"),
    ]);
    const { cwd, env, agentDirectory } = this.#workspace;
    const { interpreter } = this.#settings.python;
    const { usable, remark } = await pythonEnvironments(cwd, env);
    if (interpreter === "") this.#remark = remark;
    return createPythonKernel({
      cwd,
      wrapper: this.#wrapper,
      environments: usable,
      env: childEnvironment(env),
      managed: join(dirname(agentDirectory), MANAGED_ENVIRONMENT),
      interpreter: interpreter === "" ? undefined : this.#named(interpreter),
    });
  }

  async #javaScript(): Promise<Kernel> {
    const kernels = await import("@tau/host/kernel/javascript-kernel");
    const { cwd, env } = this.#workspace;
    return kernels.createJavaScriptKernel({
      command: selfCommand(["serve-cells"]) ?? kernels.cellsSourceCommand(),
      cwd,
      wrapper: this.#wrapper,
      env: childEnvironment(env),
    });
  }

  /** A path as it is meant, a bare name as it is. */
  #named(interpreter: string): string {
    return interpreter.includes("/") ? this.#workspace.files.resolve(interpreter) : interpreter;
  }
}
