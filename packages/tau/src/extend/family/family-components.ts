// Components of the family on Tau's screen: they give rows for a width, and take keys as the bytes that a
// terminal would send.

import type { Component, FocusableComponent, Rendered } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import type { DrawingPlace, UserInterface, Widget } from "../../feature-api/user-interface.ts";
import { resumeHere } from "./current-host.ts";
import { keyBytes } from "./key-bytes.ts";
import { familyTheme } from "./family-theme.ts";

interface FamilyComponent {
  render(width: number): readonly string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}

type Factory = (...args: unknown[]) => unknown;

/** A bell, or a notification of the terminal's own: they move nothing on the screen. */
const ATTENTION = /^(?:\x07|\x1b\](?:9|99|777);[^\x00-\x1f\x7f]*(?:\x07|\x1b\\))+$/;

function callForAttention(data: string): void {
  if (!ATTENTION.test(data)) {
    throw new Error("it writes to the terminal itself, which Tau alone does; give rows to draw");
  }
  process.stdout.write(data);
}

/** What the family calls `tui`: how to be drawn again, and how large the terminal is. */
function tuiOf({ requestRender, size }: DrawingPlace): object {
  return {
    requestRender: () => requestRender(),
    invalidate: () => requestRender(),
    terminal: {
      get columns() {
        return size.columns;
      },
      get rows() {
        return size.rows;
      },
      write: (data: string) => callForAttention(String(data)),
    },
    setFocus: () => {},
    addChild: () => {},
    removeChild: () => {},
  };
}

function toComponent(made: unknown): FamilyComponent {
  const { render } = (made ?? {}) as Partial<FamilyComponent>;
  if (typeof render === "function") return made as FamilyComponent;
  throw new TypeError("what is to be drawn has no function render");
}

/** A failure that comes late is thrown where it is drawn: somebody looks there. */
function attempted(make: () => FamilyComponent): FamilyComponent {
  try {
    return make();
  } catch (error) {
    return {
      render() {
        throw error;
      },
    };
  }
}

class Drawn implements Component {
  readonly state = "live";
  protected component: FamilyComponent | undefined;
  protected readonly resume = resumeHere();

  /** `made` may still be on its way: until then there is nothing to see. */
  constructor(made: unknown, arrived: () => void) {
    if (!(made instanceof Promise)) {
      this.component = toComponent(made);
      return;
    }
    void made.then(
      (late: unknown) => {
        this.component = attempted(() => toComponent(late));
        arrived();
      },
      (error: unknown) => {
        this.component = attempted(() => {
          throw error;
        });
        arrived();
      },
    );
  }

  /** What it gives is looked at by whoever guards it. */
  render(columns: number): Rendered {
    const rows = this.resume(() => this.component?.render(columns));
    return { rows: rows ?? [], stableRows: 0 };
  }

  [Symbol.dispose](): void {
    this.component?.dispose?.();
  }
}

class DrawnScreen extends Drawn implements FocusableComponent {
  handleKey(input: KeyInput): boolean {
    if (!this.component?.handleInput) return false;
    const bytes = input.type === "paste" ? input.text : keyBytes(input);
    this.resume(() => this.component?.handleInput?.(bytes));
    return true;
  }
}

/** `more`: what it is given besides. */
export function widgetOf(factory: Factory, ...more: readonly unknown[]): Widget {
  return (place) => {
    const made = factory(tuiOf(place), familyTheme(place.theme), ...more);
    return new Drawn(made, () => place.requestRender());
  };
}

export function showFamilyScreen(ui: UserInterface, factory: Factory): Promise<unknown> {
  return ui
    .show<{ value: unknown }>((place, close) => {
      const done = (value: unknown): void => close({ value });
      const keybindings = { matches: () => false, getKeys: () => [] };
      const made = factory(tuiOf(place), familyTheme(place.theme), keybindings, done);
      return new DrawnScreen(made, () => place.requestRender());
    })
    .then((answer) => answer?.value);
}
