// The user interface as one extension has it: what it asks carries its name, what it puts up has keys of
// its own, what it draws is guarded, and all of it goes away with the extension.

import type { PosedQuestion } from "../feature-api/posed-question.ts";
import type { Choice, UserInterface, Widget } from "../feature-api/user-interface.ts";
import type { AskedTime } from "./asked-time.ts";
import { GuardedDrawing, GuardedScreen } from "./guarded-drawing.ts";

export interface Ownership {
  /** The extension's. */
  readonly name: string;
  /** Knows when a question of its own is open. */
  readonly asked: AskedTime;
  /** Something that it draws has failed, and is gone. */
  failed(error: unknown): void;
  /** Of the run that is on, if any: what is asked in it is not waited for when it is stopped. */
  stopped(): AbortSignal | undefined;
}

const STATUS = "status ";
const WIDGET = "widget ";
const TITLE = "title";
const WORDS = "words";

/** Whose each place of an interface is. */
const owners = new WeakMap<UserInterface, Map<string, object>>();

function placesOf(ui: UserInterface): Map<string, object> {
  const known = owners.get(ui) ?? new Map<string, object>();
  owners.set(ui, known);
  return known;
}

export function ownedInterface(
  ui: UserInterface,
  { name: from, asked, failed, stopped }: Ownership,
): UserInterface & Disposable {
  const over = new AbortController();
  const sender = { from };
  const shared = placesOf(ui);
  const me = {};
  /** What of its own is still there: the next session may have put up the same before this one is left. */
  const isMine = (place: string): boolean => shared.get(place) === me;
  const isOver = (): boolean => over.signal.aborted;
  const own = (key: string): string => `${from}:${key}`;
  /** False if it would give away what is not its own. */
  const take = (place: string, isTaken: boolean): boolean => {
    if (isOver() || (!isTaken && !isMine(place))) return false;
    if (isTaken) shared.set(place, me);
    else shared.delete(place);
    return true;
  };

  function asking<O extends { signal?: AbortSignal }>(given: O | undefined): O {
    const signals = [given?.signal, stopped(), over.signal].filter((one) => one !== undefined);
    return { ...given, signal: AbortSignal.any(signals), from, agent: undefined } as unknown as O;
  }

  const removeWidget = (key: string): void => {
    if (take(WIDGET + key, false)) ui.setWidget(key, undefined, undefined, sender);
  };

  const guarded = (key: string, widget: Widget): Widget => {
    if (typeof widget !== "function") return widget;
    return (place) =>
      new GuardedDrawing(widget(place), (error) => {
        removeWidget(key);
        failed(error);
      });
  };

  return {
    get front() {
      return ui.front;
    },
    get canAsk() {
      return ui.canAsk && !isOver();
    },
    get canDraw() {
      return ui.canDraw && !isOver();
    },
    select: async (title, choices, options) =>
      isOver()
        ? undefined
        : asked.during(() => ui.select(String(title), choices.map(choiceOf), asking(options))),
    confirm: async (title, message, options) =>
      isOver() ? false : asked.during(() => ui.confirm(title, message, asking(options))),
    questions: async (posed, options) =>
      isOver() ? undefined : asked.during(() => ui.questions(posed.map(posedOf), asking(options))),
    input: async (title, options) =>
      isOver() ? undefined : asked.during(() => ui.input(title, asking(options))),
    editText: async (title, text, options) =>
      isOver() ? undefined : asked.during(() => ui.editText(title, text, asking(options))),
    notify(text, tone) {
      if (!isOver()) ui.notify(text, tone, sender);
    },
    setStatus(key, text) {
      if (take(STATUS + own(key), text !== undefined)) ui.setStatus(own(key), text, sender);
    },
    setWidget(key, widget, place) {
      if (widget === undefined) return removeWidget(own(key));
      if (!take(WIDGET + own(key), true)) return;
      try {
        ui.setWidget(own(key), guarded(own(key), widget), place, sender);
      } catch (error) {
        removeWidget(own(key));
        failed(error);
      }
    },
    setTitle(title) {
      if (take(TITLE, title !== undefined)) ui.setTitle(title, sender);
    },
    setWorking(words) {
      if (take(WORDS, words !== undefined)) ui.setWorking(words, sender);
    },
    get draft() {
      return isOver() ? "" : ui.draft;
    },
    setDraft(text) {
      if (!isOver()) ui.setDraft(text, sender);
    },
    async show(open, options) {
      if (isOver()) return undefined;
      const guardedOpen: typeof open = (place, close) => {
        const leave = (): void => close();
        const lost = (error: unknown): void => {
          leave();
          failed(error);
        };
        return new GuardedScreen(open(place, close), { failed: lost, leave });
      };
      return asked.during(() => ui.show(guardedOpen, asking(options)));
    },
    leave: ui.leave && (() => (isOver() ? undefined : ui.leave?.())),
    get theme() {
      return ui.theme;
    },
    [Symbol.dispose]() {
      if (isOver()) return;
      for (const [place, owner] of shared) {
        if (owner !== me) continue;
        shared.delete(place);
        if (place.startsWith(STATUS)) ui.setStatus(place.slice(STATUS.length), undefined, sender);
        else if (place.startsWith(WIDGET))
          ui.setWidget(place.slice(WIDGET.length), undefined, undefined, sender);
        else if (place === TITLE) ui.setTitle(undefined, sender);
        else ui.setWorking(undefined, sender);
      }
      over.abort();
    },
  };
}

/** Nobody checks the types of an extension: words alone are a choice as well. */
function choiceOf(given: Choice | string): Choice {
  if (typeof given !== "object" || given === null) return { value: String(given) };
  const { value, label, description } = given;
  return {
    value: String(value ?? label),
    label: label === undefined ? undefined : String(label),
    description: description === undefined ? undefined : String(description),
  };
}

function posedOf({ id, question, options, multi, recommended }: PosedQuestion): PosedQuestion {
  const known = Array.isArray(options) ? options.map(String) : [];
  const isOne = Number.isInteger(recommended) && known[recommended as number] !== undefined;
  return {
    id: String(id),
    question: String(question),
    options: known,
    multi: multi === true,
    recommended: isOne ? recommended : undefined,
  };
}
