// Markdown in the colours that a component brings: what is common in messages, line by line.

import { wrapTextWithAnsi } from "./widths.ts";
import type { FamilyComponent } from "./basics.ts";

type Paint = (text: string) => string;
const plain: Paint = (text) => text;

interface MarkdownTheme {
  heading?: Paint;
  code?: Paint;
  codeBlock?: Paint;
  codeBlockBorder?: Paint;
  quote?: Paint;
  quoteBorder?: Paint;
  hr?: Paint;
  listBullet?: Paint;
  bold?: Paint;
  italic?: Paint;
  link?: Paint;
}

export class Markdown implements FamilyComponent {
  #text: string;
  readonly #paddingX: number;
  readonly #paddingY: number;
  readonly #theme: MarkdownTheme;

  constructor(text = "", paddingX = 0, paddingY = 0, theme: MarkdownTheme = {}) {
    this.#text = String(text);
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
    this.#theme = theme;
  }

  setText(text: string): void {
    this.#text = String(text);
  }

  invalidate(): void {}

  render(width: number): string[] {
    const room = Math.max(1, width - 2 * this.#paddingX);
    const indent = " ".repeat(Math.max(0, this.#paddingX));
    const edge = Array.from({ length: Math.max(0, this.#paddingY) }, () => "");
    return [...edge, ...this.#rows(room).map((row) => indent + row), ...edge];
  }

  #rows(width: number): string[] {
    const { codeBlock = plain, codeBlockBorder = plain } = this.#theme;
    const rows: string[] = [];
    let isCode = false;
    for (const line of this.#text.split("\n")) {
      if (/^\s*(?:```|~~~)/.test(line)) {
        isCode = !isCode;
        rows.push(codeBlockBorder(line));
      } else if (isCode) rows.push(...wrapTextWithAnsi(codeBlock(line), width));
      else rows.push(...this.#line(line, width));
    }
    return rows;
  }

  #line(line: string, width: number): string[] {
    const {
      heading = plain,
      hr = plain,
      listBullet = plain,
      quote = plain,
      quoteBorder = plain,
    } = this.#theme;
    const [, title] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
    if (title !== undefined) return wrapTextWithAnsi(heading(this.#inline(title)), width);
    if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) return [hr("─".repeat(width))];
    const [, quoted] = /^\s*>\s?(.*)$/.exec(line) ?? [];
    if (quoted !== undefined) {
      return wrapTextWithAnsi(quote(this.#inline(quoted)), Math.max(1, width - 2)).map(
        (row) => quoteBorder("│ ") + row,
      );
    }
    const [, before, bullet, rest] = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
    if (rest === undefined) return wrapTextWithAnsi(this.#inline(line), width);
    const mark = `${before}${listBullet(bullet!)} `;
    const hang = " ".repeat(before!.length + bullet!.length + 1);
    const room = Math.max(1, width - hang.length);
    return wrapTextWithAnsi(this.#inline(rest), room).map(
      (row, at) => (at === 0 ? mark : hang) + row,
    );
  }

  #inline(text: string): string {
    const { code = plain, bold = plain, italic = plain, link = plain } = this.#theme;
    return text
      .replace(/`([^`]+)`/g, (_, inner: string) => code(inner))
      .replace(/\*\*([^*]+)\*\*/g, (_, inner: string) => bold(inner))
      .replace(/(?<![\w*])\*([^*\s][^*]*)\*/g, (_, inner: string) => italic(inner))
      .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) =>
        words === target ? link(words) : `${link(words)} (${target})`,
      );
  }
}
