// Components of the family on Tau's screen: they give rows for a width, and take keys as the bytes that a
// terminal would send.

import type { Component, FocusableComponent, Rendered } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import type { DrawingPlace, UserInterface, Widget } from "../../feature-api/user-interface.ts";
import { keyBytes } from "./key-bytes.ts";
import { familyTheme } from "./family-theme.ts";

interface FamilyComponent {
  render(width: number): readonly string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}

type Factory = (...args: unknown[]) => unknown;

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
    },
    setFocus: () => {},
    addChild: () => {},
    removeChild: () => {},
  };
}

class Drawn implements Component {
  readonly state = "live";
  readonly component: FamilyComponent;

  constructor(component: FamilyComponent) {
    this.component = component;
  }

  render(columns: number): Rendered {
    return { rows: [...this.component.render(columns)], stableRows: 0 };
  }

  [Symbol.dispose](): void {
    this.component.dispose?.();
  }
}

class DrawnScreen extends Drawn implements FocusableComponent {
  handleKey(input: KeyInput): boolean {
    if (!this.component.handleInput) return false;
    this.component.handleInput(input.type === "paste" ? input.text : keyBytes(input));
    return true;
  }
}

export function widgetOf(factory: Factory): Widget {
  return (place) => new Drawn(factory(tuiOf(place), familyTheme(place.theme)) as FamilyComponent);
}

export function showFamilyScreen(ui: UserInterface, factory: Factory): Promise<unknown> {
  return ui
    .show<{ value: unknown }>((place, close) => {
      const done = (value: unknown): void => close({ value });
      const keybindings = { matches: () => false, getKeys: () => [] };
      const made = factory(tuiOf(place), familyTheme(place.theme), keybindings, done);
      return new DrawnScreen(made as FamilyComponent);
    })
    .then((answer) => answer?.value);
}
