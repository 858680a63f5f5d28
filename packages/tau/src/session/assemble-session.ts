// Puts the parts of a session together: settings, model, tools, behaviours, and what is found for
// the model. Loaded while the disk already works on the log, because it brings most of Tau along.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@tau/agent/tool";
import type { Environment } from "@tau/ai/environment";
import { textOf, userText } from "@tau/ai/message";
import type { ThinkingLevel } from "@tau/ai/model";
import type { ModelRequest } from "@tau/ai/request";
import { loadForeignRules, NO_FOREIGN_RULES } from "../behaviours/approval/load-foreign-rules.ts";
import { openApproval } from "../behaviours/approval/open-approval.ts";
import { builtInBehaviours, type BehaviourParts } from "../behaviours/built-in.ts";
import { SAMPLING_ROWS } from "../behaviours/sampling/settings.ts";
import { SECRET_ROWS } from "../behaviours/secrets/settings.ts";
import { STREAM_RULE_ROWS } from "../behaviours/stream-rules/settings.ts";
import { TODO_ROWS } from "../behaviours/todo/settings.ts";
import { TodoList } from "../behaviours/todo/todo-list.ts";
import { hideOutbound } from "../behaviours/secrets/hide-outbound.ts";
import type { SecretVault } from "../behaviours/secrets/secret-vault.ts";
import { projectStanding, type ProjectStanding } from "../config/project-settings.ts";
import { openSettings } from "../config/open-settings.ts";
import { Settings } from "../config/settings.ts";
import { AvailableInstructions } from "../context/available-instructions.ts";
import type { Instructions } from "../context/gather-instructions.ts";
import { instructionSettingsFrom } from "../context/instruction-settings.ts";
import { inFewWords, profileFor, SMALL_TOOLS } from "../context/prompt-profile.ts";
import { promptParts, type PromptPart, type PromptWishes } from "../context/system-prompt.ts";
import { disabledSourcesFrom } from "../discovery/settings.ts";
import { EXIT } from "../exit-code.ts";
import { jobMail } from "../jobs/job-mail.ts";
import { JOB_ROWS } from "../jobs/settings.ts";
import { chooseModel, type ChosenModel } from "../model/choose-model.ts";
import { describeProblem } from "../model/config-problem.ts";
import { instructionSchemes } from "../resources/instruction-schemes.ts";
import { historyScheme } from "../resources/history-scheme.ts";
import { BASH_ROWS, INTERCEPTOR_ROWS } from "../tools/bash/settings.ts";
import { SANDBOX_ROWS } from "../sandbox/settings.ts";
import { assessCells } from "../tools/assess-cells.ts";
import { BUILT_IN_TOOLS, createBuiltInTools } from "../tools/built-in.ts";
import { editModeFor, fileToolSettingsFrom } from "../tools/file-tool-settings.ts";
import type { EvalBridge } from "../tools/eval/bridge.ts";
import { EVAL_ROWS, PYTHON_ROWS } from "../tools/eval/settings.ts";
import { createEvalTool, type EvalTool } from "../tools/eval/tool.ts";
import { SSH_ROWS } from "../tools/ssh/settings.ts";
import type { SshTool } from "../tools/ssh/tool.ts";
import { enabledTools, toolLimitsFrom } from "../tools/tool-settings.ts";
import { Workspace } from "../tools/workspace.ts";
import { UserError } from "../user-error.ts";
import { artifactDirectory } from "./artifacts/artifact-name.ts";
import type { ArtifactStore } from "./artifacts/artifact-store.ts";
import type { CreatedSession, CreateSessionOptions } from "./create-session.ts";
import { readContext } from "./read-context.ts";
import { foldState } from "./context/fold-state.ts";
import { chosenModel, DEFAULT_ROLE } from "./context/runtime-state.ts";
import { Session } from "./session.ts";
import type { SessionEvent } from "./session-event.ts";
import type { SessionLog } from "./session-log.ts";
import { sessionSettingsFrom } from "./session-settings.ts";
import type { SessionStore } from "./session-store.ts";

/** Without the tool that looks after them there is nothing to say about jobs. */
const NO_JOBS = { enabled: false } as const;

export type PlacedOptions = CreateSessionOptions & { cwd: string; env: Environment };

export async function assembleSession(
  options: PlacedOptions,
  store: SessionStore,
  { opening, earlier }: { opening: Promise<SessionLog>; earlier: SessionLog | undefined },
): Promise<CreatedSession> {
  const { cwd, env, titles = "off", wakes = true } = options;
  let emit: (event: SessionEvent) => void = () => {};
  let running: Session | undefined;
  const notices: string[] = [];
  try {
    const project = await projectStanding(cwd, env);
    if (project.notice !== undefined) notices.push(project.notice);
    const projectFile =
      project.settingsFile === undefined ? {} : { projectFile: project.settingsFile };
    const settings = options.settings
      ? new Settings()
      : await openSettings({ ...options, ...projectFile });
    const foreignRules = options.settings
      ? Promise.resolve(NO_FOREIGN_RULES)
      : loadForeignRules({ cwd, env, disabledSources: disabledSourcesFrom(settings) });
    foreignRules.catch(() => {});
    const gathering = gather(options, settings);
    // Its failure is told where it is awaited.
    gathering.catch(() => {});
    const vault = settings.group(SECRET_ROWS).enabled
      ? await openSecrets(options, store)
      : undefined;
    const { recovery, models, access } = await choose(options, earlier, {
      notices,
      settings,
      vault,
      emit: (event) => emit(event),
    });
    for (const problem of [...settings.problems, ...(access?.problems ?? [])]) {
      notices.push(describeProblem(problem));
    }
    for (const message of await recoverLeftEdits(store.agentDirectory)) notices.push(message);
    const log = await opening;
    for (const repair of log.repairs) notices.push(repair.message);
    const artifacts = lazyArtifacts(log, store);
    const profile = profileFor(recovery.target.model, settings);
    const editMode = editModeFor(recovery.target.model, settings, {
      variable: env.TAU_EDIT_VARIANT,
      unset: profile === "small" ? "replace" : "hashline",
    });
    const localRoot = log.path && join(artifactDirectory(log.path), "local");
    const workspace = new Workspace({
      cwd,
      env,
      artifacts,
      settings: {
        ...fileToolSettingsFrom(settings),
        editMode,
        ...options.settings?.tools,
      },
      jobSettings: { ...settings.group(JOB_ROWS), ...(profile === "small" ? NO_JOBS : {}) },
      bashSettings: settings.group(BASH_ROWS),
      interceptorSettings: settings.group(INTERCEPTOR_ROWS),
      sandboxSettings: settings.group(SANDBOX_ROWS),
      ...(vault ? { vault } : {}),
      ...(localRoot ? { localRoot } : {}),
    });
    workspace.schemes.register(historyScheme(store));
    const foreign = await foreignRules;
    notices.push(...foreign.lost.map(({ problem }) => describeProblem(problem)));
    const approval = openApproval(settings, {
      env,
      foreign,
      mode: options.approvalMode,
      hide: vault && ((text) => vault.hide(text)),
    });
    const found = await gathering;
    notices.push(...(found?.notices ?? []));
    if (found) for (const one of instructionSchemes(found)) workspace.schemes.register(one);
    const wanted = options.toolNames ?? (profile === "small" ? SMALL_TOOLS : undefined);
    const toolNames = options.toolNames ?? enabledTools(settings, wanted ?? BUILT_IN_TOOLS);
    const made = createBuiltInTools(workspace, toolNames);
    const builtIn = profile === "small" ? inFewWords(made, workspace.settings.editMode) : made;
    const place = { ...options, project, ...(wanted ? { toolNames: wanted } : {}) };
    const cells = codeCells(workspace, settings, place, () => running);
    const ssh = await remoteHosts(workspace, settings, place, notices);
    const extra = [cells, ssh].filter((tool) => tool !== undefined);
    const todo = settings.group(TODO_ROWS);
    const hasTodos = todo.enabled && (!wanted || wanted.includes("todo"));
    const todos = hasTodos ? new TodoList(() => running!, { vault }) : undefined;
    const prompt = systemPromptOf(options, { found, profile, model: recovery.target.model });
    const commands = { cwd, env, settings: instructionSettingsFrom(settings) };
    const instructions = options.settings ? undefined : new AvailableInstructions(commands);
    const session = await Session.open({
      log,
      recovery,
      ...(models ? { models } : {}),
      settings: { ...sessionSettingsFrom(settings), ...options.settings?.session },
      toolLimits: toolLimitsFrom(settings),
      system: options.system ?? prompt.map(({ text }) => text),
      tools: [...builtIn, ...extra, ...(options.tools ?? [])],
      spill: async (tool, text) => {
        const { spillTo } = await import("./artifacts/artifact-store.ts");
        return spillTo(await artifacts())(tool, vault ? vault.hide(text) : text);
      },
      behaviours: (host) =>
        builtInBehaviours(host, {
          titles,
          ...(found?.titles === undefined ? {} : { titlePrompt: found.titles }),
          approval,
          ...(options.settings ? {} : { commands }),
          sampling: settings.group(SAMPLING_ROWS),
          ...watching(found, settings, workspace),
          ...(todos
            ? {
                todo: {
                  list: todos,
                  settings: todo,
                  runningJobs: () => workspace.jobs.running,
                },
              }
            : {}),
          ...(vault ? { vault } : {}),
          ...(workspace.canPreview ? { previews: workspace.previews } : {}),
        }),
      ...(vault ? { hide: <T>(value: T) => vault.hideIn(value) } : {}),
      owns: [workspace, ...extra, ...(instructions ? [instructions] : [])],
      wakes,
      ...(options.hooks ? { hooks: options.hooks } : {}),
      ...(options.ask ? { ask: options.ask } : {}),
      ...(options.budget ? { budget: options.budget } : {}),
      ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
    });
    emit = session.emit;
    running = session;
    workspace.onJobEnd = async (job) => {
      const { id, label, status, durationMs } = job;
      session.emit({ type: "job_end", id, label, status, durationMs });
      // Patient: it does not cut a turn short. Its id makes a second telling none.
      const mail = { sender: "job", isPatient: true, id: `job-${session.id}-${job.id}` };
      await session.steer(jobMail(job), mail);
    };
    return {
      session,
      store,
      notices,
      approval,
      settings,
      workspace,
      prompt,
      ...(instructions ? { instructions } : {}),
      ...(cells ? { cells: cells.cells } : {}),
      ...(vault ? { vault } : {}),
      ...(todos ? { todos } : {}),
    };
  } catch (error) {
    // Nothing was said in it: a session that never began is not left behind.
    await store.withdraw(await opening);
    throw error;
  }
}

/** Opened when something is too long for the first time: most sessions keep nothing. */
function lazyArtifacts(log: SessionLog, store: SessionStore): () => Promise<ArtifactStore> {
  let opening: Promise<ArtifactStore> | undefined;
  return () =>
    (opening ??= import("./artifacts/open-artifacts.ts").then(({ openArtifacts }) =>
      openArtifacts(log, store.surroundings.storage),
    ));
}

/** What a process that died was changing is put right before anyone looks at the files. */
async function recoverLeftEdits(agentDirectory: string): Promise<string[]> {
  if (!existsSync(join(agentDirectory, "edits"))) return [];
  const { recoverEdits } = await import("../files/recover-edits.ts");
  return (await recoverEdits(agentDirectory)).map(({ message }) => message);
}

/** What is lying around for models; nothing where the caller brings words of its own. */
async function gather(
  { cwd, env, system, settings: isolated }: PlacedOptions,
  settings: Settings,
): Promise<Instructions | undefined> {
  if (system || isolated) return undefined;
  const { gatherInstructions } = await import("../context/gather-instructions.ts");
  return gatherInstructions({ cwd, env, settings: instructionSettingsFrom(settings) });
}

function systemPromptOf(
  { cwd, systemPrompt, appendSystemPrompt }: PlacedOptions,
  { found, ...told }: Pick<PromptWishes, "model" | "profile"> & { found: Instructions | undefined },
): PromptPart[] {
  const date = new Date().toISOString().slice(0, 10);
  return promptParts(
    { cwd, platform: process.platform, date },
    {
      ...told,
      ...(found ? { found } : {}),
      ...(systemPrompt === undefined ? {} : { system: systemPrompt }),
      ...(appendSystemPrompt === undefined ? {} : { append: appendSystemPrompt }),
    },
  );
}

/** Nobody listens to the stream where there is nothing to hear. */
function watching(
  found: Instructions | undefined,
  settings: Settings,
  workspace: Workspace,
): Pick<BehaviourParts, "streamRules"> {
  const rules = found?.streamRules ?? [];
  if (rules.length === 0) return {};
  return {
    streamRules: {
      rules,
      settings: settings.group(STREAM_RULE_ROWS),
      newTexts: async (tool, params) => {
        const { newTexts } = await import("../tools/new-texts.ts");
        return newTexts(tool, params, workspace);
      },
      syntax: () => workspace.syntax(),
    },
  };
}

/** The tool for code cells, with a way back to the session that runs them. */
function codeCells(
  workspace: Workspace,
  settings: Settings,
  { toolNames }: PlacedOptions,
  session: () => Session | undefined,
): EvalTool | undefined {
  if (toolNames && !toolNames.includes("eval")) return undefined;
  const rows = { eval: settings.group(EVAL_ROWS), python: settings.group(PYTHON_ROWS) };
  if (!rows.eval.py && !rows.eval.js) return undefined;
  const bridge: EvalBridge = {
    callTool: (name, args, signal) => session()!.callTool(name, args, signal),
    complete: async (prompt, { system }, signal) => {
      const request = { system: system ? [system] : [], messages: [userText(prompt)] };
      const reply = await session()!.askAside(["smol"], request, signal);
      if (reply.error) throw new ToolError(reply.error.message);
      return textOf(reply);
    },
  };
  return Object.assign(createEvalTool(workspace, bridge, rows), { assess: assessCells });
}

/** The ssh tool, where there are hosts to reach and it was not left out. */
async function remoteHosts(
  workspace: Workspace,
  settings: Settings,
  { cwd, env, toolNames, project }: PlacedOptions & { project: ProjectStanding },
  notices: string[],
): Promise<SshTool | undefined> {
  if (toolNames && !toolNames.includes("ssh")) return undefined;
  // Nothing is loaded on the way to the first request where there can be no host.
  const files = [
    join(cwd, ".tau", "ssh.json"),
    join(workspace.agentDirectory, "ssh.json"),
    join(workspace.home, ".ssh", "config"),
    join(workspace.home, ".omp", "agent", "ssh.json"),
  ];
  if (settings.layers.length === 0 && !files.some((file) => existsSync(file))) return undefined;
  const [{ loadHosts }, { createSshTool }] = await Promise.all([
    import("../tools/ssh/load-hosts.ts"),
    import("../tools/ssh/tool.ts"),
  ]);
  const loaded = loadHosts({
    cwd,
    env,
    settings: settings.group(SSH_ROWS),
    project: project.trust,
  });
  notices.push(...loaded.problems.map(describeProblem));
  return createSshTool(workspace, loaded);
}

async function openSecrets(
  { env }: PlacedOptions,
  { agentDirectory }: SessionStore,
): Promise<SecretVault> {
  const { openVault } = await import("../behaviours/secrets/open-vault.ts");
  return openVault({ env, agentDirectory });
}

interface ChoiceContext {
  vault: SecretVault | undefined;
  notices: string[];
  settings: Settings;
  emit: (event: SessionEvent) => void;
}

type Choice = Pick<ChosenModel, "recovery"> & Partial<Pick<ChosenModel, "models" | "access">>;

async function choose(
  options: PlacedOptions,
  earlier: SessionLog | undefined,
  { notices, settings: opened, vault, emit }: ChoiceContext,
): Promise<Choice> {
  const { model: wanted } = options;
  if (typeof wanted === "object") {
    const { recoveryFor } = await import("../model/own-model.ts");
    return { recovery: recoveryFor(wanted, { thinking: options.thinking, emit }) };
  }
  const before = earlier && (await earlierChoice(earlier));
  const { cwd, env, apiKey, profile, scope, settings } = options;
  const selector = wanted ?? before?.model;
  const thinking = options.thinking ?? (wanted === undefined ? before?.thinking : undefined);
  const wish = {
    env,
    cwd,
    sessionId: earlier?.header.id ?? crypto.randomUUID(),
    emit,
    ...(vault ? { outbound: (request: ModelRequest) => hideOutbound(request, vault) } : {}),
    ...(settings ? { isolated: settings.models ?? {} } : { settings: opened }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(profile === undefined ? {} : { profile }),
    ...(scope === undefined ? {} : { scope }),
    ...(thinking === undefined ? {} : { thinking }),
  };
  if (wanted !== undefined || selector === undefined) {
    return chooseModel(selector === undefined ? wish : { ...wish, selector });
  }
  try {
    return await chooseModel({ ...wish, selector });
  } catch (error) {
    // What the session was with is a wish of the past: without its key another model goes on.
    const isGone = error instanceof UserError && error.exitCode === EXIT.noCredentials;
    if (!isGone) throw error;
    const chosen = await chooseModel(wish);
    const { provider, id } = chosen.recovery.target.model;
    notices.push(
      `this session was with ${selector}, which has no key now; ${provider}/${id} goes on`,
    );
    return chosen;
  }
}

async function earlierChoice(
  log: SessionLog,
): Promise<{ model: string | undefined; thinking?: ThinkingLevel }> {
  const { branch, before } = await readContext(log);
  const state = branch.reduce(foldState, before);
  const model = chosenModel(state);
  // Where nobody chose a model, nobody chose a level either: "off" is then no choice.
  const isChosen = state.models[DEFAULT_ROLE] !== undefined;
  return isChosen ? { model, thinking: state.thinkingLevel } : { model };
}
