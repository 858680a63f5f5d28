// Goes through the tree of a line as a shell would, on every way that it may take, and gathers
// what each command does. Loops are gone through until nothing new is learnt of the shell.

import type { CommandCall, CommandInput, CommandWalk } from "./command-call.ts";
import { bareCall, bareNode } from "./bare-command.ts";
import type { CommandOutput } from "./command-output.ts";
import { NO_INPUT, OPEN_INPUT } from "./no-input.ts";
import { JudgingBounds } from "./judging-bounds.ts";
import { noEffects, type CommandEffects } from "./command-effects.ts";
import { evaluateWhole, evaluateWord, setAssigned, type WordWorld } from "./evaluate-word.ts";
import { joinSecrets, unknownField, type Field } from "./field.ts";
import { HIDDEN_COMMAND, hasHiddenCommand } from "./hidden-command.ts";
import { LineFindings } from "./line-findings.ts";
import { parseShellLine } from "./parse-shell-line.ts";
import { PendingTraps } from "./pending-traps.ts";
import { noteIndirect } from "./set-variable.ts";
import type { ShellContext } from "./shell-context.ts";
import {
  after,
  forgetVariables,
  initialState,
  isSame,
  isSameList,
  join,
  sameOutcome,
  UNKNOWN_STATE,
  withVariable,
  type Outcome,
  type ShellState,
} from "./shell-state.ts";
import type {
  Compound,
  ForCommand,
  FunctionDefinition,
  Pipeline,
  Sequence,
  ShellCommand,
  ShellLine,
  WordPart,
} from "./syntax-tree.ts";
import {
  applyRedirects,
  isKnownProgram,
  NameLookup,
  runFields,
  runSimple,
  wholeText,
} from "./walk-simple.ts";

/** Scripts in scripts, functions in functions. */
const MAX_CALLS_DEEP = 12;
/** Values of a loop that are followed one by one. */
const MAX_LOOP_VALUES = 8;

export class LineWalker extends LineFindings implements CommandWalk {
  readonly context: ShellContext;
  readonly functions = new Map<string, FunctionDefinition>();
  readonly descriptors = new Map<string, CommandInput>();
  standing: CommandInput | undefined;
  /** Why a part of the line is no command, as far as is known here. */
  unreadable: string | undefined;
  /** What the last command prints: lines that are paths, or one value. */
  output: CommandOutput = {};
  readonly #effects = new Map<object, CommandEffects>();
  readonly #called = new Set<string>();
  readonly #active: string[] = [];
  readonly #traps = new PendingTraps();
  readonly bounds: JudgingBounds;
  #depth = 0;
  #escaped: ShellState | undefined;
  #forks = 0;
  /** The whole line. */
  #text = "";
  /** Secrets in what commands print, in the order in which they were run. */
  readonly #printed: string[] = [];

  constructor(context: ShellContext, bounds = new JudgingBounds()) {
    super();
    this.context = context;
    this.bounds = bounds;
    if (context.left) this.takeLeft(context.left);
    for (const [name, definition] of context.functions ?? []) {
      this.functions.set(name, definition);
      // It was judged when it was defined; now it is if it is called.
      this.#called.add(name);
    }
  }

  allEffects(): CommandEffects[] {
    return [...this.#effects.values()];
  }

  effectsOf(node: object, text: string): CommandEffects {
    const known = this.#effects.get(node);
    if (known) return known;
    const effects = noEffects(text);
    this.#effects.set(node, effects);
    return effects;
  }

  runLine(line: ShellLine, state: ShellState): void {
    this.#text = line.text;
    this.runSequence(line.body, state, NO_INPUT);
    // Functions that wait to be called are judged as if somebody did.
    for (const { name, body } of this.functions.values()) {
      if (this.#called.has(name)) continue;
      this.#called.add(name);
      const later = { ...UNKNOWN_STATE, directories: state.directories };
      this.#inFunction(name, () => this.run(body, later, NO_INPUT));
    }
  }

  runSequence(body: Sequence, state: ShellState, input: CommandInput): Outcome {
    let outcome = sameOutcome(state);
    for (const { command, isBackground } of body.items) {
      const before = after(outcome);
      outcome = isBackground
        ? this.#fork(before, () => void this.run(command, before, input))
        : this.run(command, before, input);
    }
    return outcome;
  }

  run(command: ShellCommand, state: ShellState, input: CommandInput): Outcome {
    this.output = {};
    if (!this.bounds.hasRoomForCommand()) return sameOutcome(UNKNOWN_STATE);
    switch (command.type) {
      case "simple": {
        const outcome = runSimple(this, command, state, input);
        this.#judgeTraps(outcome);
        return outcome;
      }
      case "pipeline":
        return this.#runPipeline(command, state, input);
      case "and-or": {
        let outcome = this.run(command.first, state, input);
        for (const { operator, command: next } of command.rest) {
          const from = (operator === "&&" ? outcome.ok : outcome.failed) ?? UNKNOWN_STATE;
          const right = this.run(next, from, input);
          outcome =
            operator === "&&"
              ? { ok: right.ok, failed: join(outcome.failed, right.failed) }
              : { ok: join(outcome.ok, right.ok), failed: right.failed };
        }
        this.output = {};
        return outcome;
      }
      case "group": {
        const inner = this.#redirect(command, state, input);
        if (!command.isSubshell) return this.runSequence(command.body, state, inner);
        this.#apart(() => this.runSequence(command.body, state, inner));
        return sameOutcome(state);
      }
      case "if":
        return this.#runIf(command, state, this.#redirect(command, state, input));
      case "loop": {
        const inner = this.#redirect(command, state, input);
        const end = this.#repeat(state, (from) =>
          after(
            this.runSequence(
              command.body,
              after(this.runSequence(command.condition, from, inner)),
              inner,
            ),
          ),
        );
        return sameOutcome(end);
      }
      case "for":
        return this.#runFor(command, state, this.#redirect(command, state, input));
      case "arithmetic-for": {
        const inner = this.#redirect(command, state, input);
        const start = this.#arithmetic(command, command.expression, state);
        return sameOutcome(
          this.#repeat(start, (from) => after(this.runSequence(command.body, from, inner))),
        );
      }
      case "case": {
        const inner = this.#redirect(command, state, input);
        const world = this.world(this.effectsOf(command, wholeText(command)), () => {});
        evaluateWhole(command.subject, state, world);
        let end: ShellState | undefined = state;
        for (const { patterns, body } of command.clauses) {
          for (const pattern of patterns) evaluateWhole(pattern, state, world);
          end = join(end, after(this.runSequence(body, end ?? state, inner)));
        }
        return sameOutcome(end ?? state);
      }
      case "function":
        this.functions.set(command.name, command);
        // It changes what later lines mean.
        this.effectsOf(command, `${command.name}()`).executes = true;
        return sameOutcome(state);
      case "test": {
        this.#redirect(command, state, input);
        const effects = this.effectsOf(command, wholeText(command));
        let now = state;
        const world = this.world(effects, (name) => (now = withVariable(now, name, undefined)));
        for (const word of command.words) {
          if (hasHiddenCommand(evaluateWhole(word, state, world)))
            effects.unknown.push(HIDDEN_COMMAND);
        }
        return sameOutcome(now);
      }
      case "arithmetic":
        this.#redirect(command, state, input);
        return sameOutcome(this.#arithmetic(command, command.expression, state));
      case "unknown":
        this.effectsOf(command, "").unknown.push(`it cannot be read: ${command.reason}`);
        this.unreadable ??= command.reason;
        return sameOutcome(UNKNOWN_STATE);
    }
  }

  world(effects: CommandEffects, forget: (name: string) => void): WordWorld {
    return {
      home: this.context.home,
      isSplittingOdd: this.isSplittingOdd,
      set: (name, value, state) => {
        const node = bareNode({ redirects: [], text: effects.text });
        noteIndirect({ ...bareCall(this, node, effects), state }, name, value);
        forget(name);
      },
      note: (reason) => effects.unknown.push(reason),
      runSubstitution: (body, state, flow) => {
        const before = this.#downloads();
        const printed = this.#printed.length;
        this.#apart(() => this.runSequence(body, state, flow === "in" ? OPEN_INPUT : NO_INPUT));
        const secrets = joinSecrets(this.#printed.slice(printed));
        const { paths, value, text } = body.items.length === 1 ? this.output : {};
        const only = value ?? (paths?.length === 1 ? paths[0] : undefined);
        this.output = {};
        const isDownload = this.#downloads() > before;
        return isDownload
          ? unknownField({ isDownload, secrets })
          : { ...(only ?? unknownField()), printed: text, secrets };
      },
    };
  }

  runArguments(call: CommandCall, args: readonly Field[]): Outcome {
    return this.#deeper(call, () => runFields(this, call, args, NameLookup.program));
  }

  runText(call: CommandCall, text: string, positional?: readonly Field[]): Outcome {
    return this.#deeper(call, () => {
      const state = positional ? { ...call.state, positional } : call.state;
      const line = parseShellLine(text);
      return this.runSequence(line.body, state, call.input);
    });
  }

  probeArguments(call: CommandCall, args: readonly Field[]): CommandEffects[] {
    return this.#probe(this.context, (inner) => {
      const effects = inner.effectsOf(inner, "");
      runFields(inner, { ...call, effects, walk: inner }, args, NameLookup.program);
    });
  }

  probeText(
    call: CommandCall,
    text: string,
    context: ShellContext = this.context,
  ): CommandEffects[] {
    const state = context === this.context ? call.state : initialState(context);
    return this.#probe(context, (inner) => {
      inner.runSequence(parseShellLine(text).body, state, NO_INPUT);
    });
  }

  prints(secrets: readonly string[]): void {
    this.#printed.push(...secrets);
  }

  addTrap(call: CommandCall, script: string): void {
    this.#traps.add(call, script, this.functions.values(), this.#text);
    this.#judgeTraps({ ok: call.state, failed: undefined });
  }

  #judgeTraps(outcome: Outcome): void {
    this.#traps.judge(outcome, (call, script) => {
      this.runText({ ...call, input: NO_INPUT }, script);
    });
  }

  isProgram(name: string): boolean {
    return isKnownProgram(name);
  }

  /** By a walker of its own that knows what this one has learnt, and shares its bounds. */
  #probe(context: ShellContext, run: (inner: LineWalker) => void): CommandEffects[] {
    if (!this.bounds.hasRoomForProbe(this.#depth)) return [];
    const inner = new LineWalker(context, this.bounds);
    inner.#depth = this.#depth + 1;
    inner.takeAll(this);
    for (const [name, definition] of this.functions) inner.functions.set(name, definition);
    run(inner);
    return inner.allEffects();
  }

  /** A function of this line. What it leaves of the shell is only known where it does nothing to it. */
  runFunction(call: CommandCall, definition: FunctionDefinition): Outcome {
    const { name } = call;
    this.#called.add(name);
    if (this.#active.includes(name)) return sameOutcome(forgetVariables(call.state));
    return this.#deeper(call, () => {
      const inside = { ...call.state, positional: call.args };
      const end = this.#withEscapes(() =>
        after(this.#inFunction(name, () => this.run(definition.body, inside, call.input))),
      );
      return sameOutcome({ ...end, positional: call.state.positional });
    });
  }

  escape(state: ShellState): void {
    this.#escaped = join(this.#escaped, state);
  }

  /** Where `break`, `continue` and `return` may have left it, it may be behind the loop. */
  #withEscapes(run: () => ShellState): ShellState {
    const outer = this.#escaped;
    this.#escaped = undefined;
    const end = join(run(), this.#escaped) ?? UNKNOWN_STATE;
    this.#escaped = join(outer, this.#escaped);
    return end;
  }

  isActive(name: string): boolean {
    return this.#active.includes(name);
  }

  get isForking(): boolean {
    return this.#forks > 0;
  }

  #fork(state: ShellState, run: () => void): Outcome {
    this.#forks++;
    this.#apart(run);
    this.#forks--;
    return sameOutcome(state);
  }

  /** In a process of its own, that leaves nothing to this one. */
  #apart(run: () => unknown): void {
    const wasOdd = this.isSplittingOdd;
    run();
    this.isSplittingOdd = wasOdd;
  }

  #inFunction(name: string, run: () => Outcome): Outcome {
    this.#active.push(name);
    const outcome = run();
    this.#active.pop();
    return outcome;
  }

  #deeper(call: CommandCall, run: () => Outcome): Outcome {
    if (this.#depth >= MAX_CALLS_DEEP) {
      call.effects.unknown.push("it is nested too deep to judge");
      return sameOutcome(UNKNOWN_STATE);
    }
    this.#depth++;
    const outcome = run();
    this.#depth--;
    return outcome;
  }

  #downloads(): number {
    let count = 0;
    for (const effects of this.#effects.values()) if (effects.downloads) count++;
    return count;
  }

  #redirect(node: Compound, state: ShellState, input: CommandInput): CommandInput {
    if (node.redirects.length === 0) return input;
    return applyRedirects(this, { node, command: bareNode(node), state, input }).flow;
  }

  #arithmetic(node: Compound, expression: WordPart[], state: ShellState): ShellState {
    const effects = this.effectsOf(node, wholeText(node));
    let now = state;
    const world = this.world(effects, (name) => (now = withVariable(now, name, undefined)));
    evaluateWhole({ parts: expression, from: 0, to: 0 }, state, world);
    setAssigned(expression, state, world);
    return now;
  }

  #runPipeline(pipeline: Pipeline, state: ShellState, input: CommandInput): Outcome {
    if (pipeline.commands.length === 1) {
      const { ok, failed } = this.run(pipeline.commands[0]!, state, input);
      return pipeline.isNegated ? { ok: failed, failed: ok } : { ok, failed };
    }
    let flow = input;
    return this.#fork(state, () => {
      for (const command of pipeline.commands) {
        const before = this.#downloads();
        const printed = this.#printed.length;
        this.run(command, state, flow);
        const isDownload = flow.isDownload || this.#downloads() > before;
        const { paths, text } = this.output;
        // What a command gets it may give on.
        const secrets = joinSecrets(flow.secrets, this.#printed.slice(printed));
        const given = isDownload ? undefined : text;
        flow = { paths, isDownload, text: given, isPresent: true, secrets };
      }
    });
  }

  #runIf(
    command: Extract<ShellCommand, { type: "if" }>,
    state: ShellState,
    input: CommandInput,
  ): Outcome {
    let end: ShellState | undefined;
    let from: ShellState | undefined = state;
    for (const { condition, body } of command.branches) {
      const outcome = this.runSequence(condition, from ?? UNKNOWN_STATE, input);
      const done = this.runSequence(body, outcome.ok ?? UNKNOWN_STATE, input);
      end = join(end, join(done.ok, done.failed));
      from = outcome.failed;
    }
    const last = command.otherwise
      ? this.runSequence(command.otherwise, from ?? UNKNOWN_STATE, input)
      : { ok: from, failed: from };
    const all = join(end, join(last.ok, last.failed));
    return { ok: all, failed: all };
  }

  #runFor(command: ForCommand, state: ShellState, input: CommandInput): Outcome {
    const effects = this.effectsOf(command, wholeText(command));
    const world = this.world(effects, () => {});
    const values = command.words
      ? command.words.flatMap((word) => evaluateWord(word, state, world))
      : [unknownField({ isMany: true })];
    const call = { ...bareCall(this, bareNode(command), effects), state };
    for (const value of values.slice(0, MAX_LOOP_VALUES)) noteIndirect(call, command.name, value);
    const isFollowed =
      command.kind === "for" &&
      values.length <= MAX_LOOP_VALUES &&
      values.every(({ text }) => text !== undefined);
    if (!isFollowed) {
      const secrets = joinSecrets(...values.map((value) => value.secrets));
      const any = secrets && unknownField({ secrets });
      const end = this.#repeat(state, (from) => {
        const inside = withVariable(from, command.name, any);
        return after(this.runSequence(command.body, inside, input));
      });
      return sameOutcome(end);
    }
    let end = state;
    for (const value of values) {
      // A pattern stands for many names, so its body may run any number of times.
      const once = (from: ShellState): ShellState => {
        const inside = withVariable(from, command.name, value);
        return after(this.runSequence(command.body, inside, input));
      };
      const from = end;
      const next = value.isPattern ? this.#repeat(end, once) : this.#withEscapes(() => once(from));
      end = join(end, next) ?? UNKNOWN_STATE;
    }
    return sameOutcome(end);
  }

  /** Until a further turn changes nothing; what keeps changing is not known. */
  #repeat(state: ShellState, turn: (from: ShellState) => ShellState): ShellState {
    const first =
      join(
        state,
        this.#withEscapes(() => turn(state)),
      ) ?? UNKNOWN_STATE;
    if (isSame(first, state)) return first;
    const isMoved = first.directories !== state.directories && !isSameList(first, state);
    const second: ShellState = {
      directories: isMoved ? undefined : first.directories,
      variables: first.variables,
      positional: first.positional,
    };
    return (
      join(
        second,
        this.#withEscapes(() => turn(second)),
      ) ?? UNKNOWN_STATE
    );
  }
}
