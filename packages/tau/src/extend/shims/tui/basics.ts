// The family's simple components: text, gaps, and what holds others. They give rows for a width; who draws
// them makes the rows harmless.

import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "./widths.ts";

export interface FamilyComponent {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate(): void;
}

type Paint = (text: string) => string;

export class Container implements FamilyComponent {
  children: FamilyComponent[] = [];

  addChild(component: FamilyComponent): void {
    this.children.push(component);
  }

  removeChild(component: FamilyComponent): void {
    this.children = this.children.filter((one) => one !== component);
  }

  clear(): void {
    this.children = [];
  }

  invalidate(): void {
    for (const child of this.children) child.invalidate?.();
  }

  render(width: number): string[] {
    return this.children.flatMap((child) => child.render(width));
  }
}

export class Box extends Container {
  readonly #paddingX: number;
  readonly #paddingY: number;
  #paint: Paint | undefined;

  constructor(paddingX = 1, paddingY = 1, paint?: Paint) {
    super();
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#paint = paint;
  }

  setBgFn(paint?: Paint): void {
    this.#paint = paint;
  }

  override render(width: number): string[] {
    const rows = super.render(Math.max(1, width - 2 * this.#paddingX));
    if (rows.length === 0) return [];
    return padded(rows, width, { x: this.#paddingX, y: this.#paddingY, paint: this.#paint });
  }
}

export class Text implements FamilyComponent {
  #text: string;
  readonly #paddingX: number;
  readonly #paddingY: number;
  #paint: Paint | undefined;

  constructor(text = "", paddingX = 1, paddingY = 1, paint?: Paint) {
    this.#text = String(text);
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#paint = paint;
  }

  setText(text: string): void {
    this.#text = String(text);
  }

  setCustomBgFn(paint?: Paint): void {
    this.#paint = paint;
  }

  invalidate(): void {}

  render(width: number): string[] {
    if (this.#text.trim() === "") return [];
    const rows = wrapTextWithAnsi(this.#text, Math.max(1, width - 2 * this.#paddingX));
    return padded(rows, width, { x: this.#paddingX, y: this.#paddingY, paint: this.#paint });
  }
}

export class TruncatedText implements FamilyComponent {
  readonly #text: string;
  readonly #paddingX: number;
  readonly #paddingY: number;

  constructor(text: string, paddingX = 0, paddingY = 0) {
    this.#text = String(text);
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const [line = ""] = this.#text.split("\n", 1);
    const row = truncateToWidth(line, Math.max(1, width - 2 * this.#paddingX));
    return padded([row], width, { x: this.#paddingX, y: this.#paddingY });
  }
}

export class Spacer implements FamilyComponent {
  #lines: number;

  constructor(lines = 1) {
    this.#lines = lines;
  }

  setLines(lines: number): void {
    this.#lines = lines;
  }

  invalidate(): void {}

  render(): string[] {
    return Array.from({ length: Math.max(0, this.#lines) }, () => "");
  }
}

/** A rule across the whole width. */
export class DynamicBorder implements FamilyComponent {
  readonly #paint: Paint;

  constructor(paint: Paint = (text) => text) {
    this.#paint = paint;
  }

  invalidate(): void {}

  render(width: number): string[] {
    return [this.#paint("─".repeat(Math.max(1, width)))];
  }
}

function padded(
  rows: readonly string[],
  width: number,
  { x, y, paint }: { x: number; y: number; paint?: Paint },
): string[] {
  const indent = " ".repeat(Math.max(0, x));
  const filled = rows.map((row) => {
    const whole = indent + row;
    return paint ? paint(whole + " ".repeat(Math.max(0, width - visibleWidth(whole)))) : whole;
  });
  const blank = paint ? paint(" ".repeat(Math.max(0, width))) : "";
  const edge = Array.from({ length: Math.max(0, y) }, () => blank);
  return [...edge, ...filled, ...edge];
}
