// A game on a screen of its own, for while the model works: `/snake`. Arrow keys steer, Esc leaves.

import { defineExtension } from "@tau/extension";

interface Point {
  x: number;
  y: number;
}

const WIDTH = 30;
const HEIGHT = 14;
const STEP_MS = 120;
const WAYS: Readonly<Record<string, Point>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

export class Snake {
  body: Point[] = [{ x: 5, y: 5 }];
  way: Point = WAYS.right!;
  food: Point = { x: 12, y: 5 };
  isOver = false;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  get score(): number {
    return this.body.length - 1;
  }

  steer(key: string): void {
    const way = WAYS[key];
    // Nobody turns on the spot.
    if (way && !(way.x === -this.way.x && way.y === -this.way.y)) this.way = way;
  }

  step(): void {
    if (this.isOver) return;
    const [head] = this.body;
    const next = { x: head!.x + this.way.x, y: head!.y + this.way.y };
    const isOutside = next.x < 0 || next.y < 0 || next.x >= WIDTH || next.y >= HEIGHT;
    if (isOutside || this.body.some((part) => same(part, next))) {
      this.isOver = true;
      return;
    }
    this.body.unshift(next);
    if (same(next, this.food)) this.food = this.#place();
    else this.body.pop();
  }

  rows(): string[] {
    const cell = (x: number, y: number): string => {
      if (same(this.food, { x, y })) return "◆";
      return this.body.some((part) => same(part, { x, y })) ? "█" : " ";
    };
    const field = Array.from({ length: HEIGHT }, (_, y) => {
      const row = Array.from({ length: WIDTH }, (_, x) => cell(x, y)).join("");
      return `│${row}│`;
    });
    const rule = "─".repeat(WIDTH);
    const words = this.isOver
      ? "Game over · Enter plays again · Esc leaves"
      : "Arrow keys steer · Esc leaves";
    return [`┌${rule}┐`, ...field, `└${rule}┘`, `${this.score} points · ${words}`];
  }

  #place(): Point {
    const free: Point[] = [];
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        if (!this.body.some((part) => same(part, { x, y }))) free.push({ x, y });
      }
    }
    return free[Math.floor(this.#random() * free.length)] ?? { x: 0, y: 0 };
  }
}

function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

export default defineExtension({
  name: "snake",
  setup: (host) => ({
    commands: [
      {
        name: "snake",
        help: "play while you wait",
        when: "any",
        run: async () => {
          if (!host.ui.canDraw) return "This needs a terminal that can draw.";
          let game = new Snake();
          let best = 0;
          await host.ui.show<void>(({ requestRender, theme }) => {
            const timer = setInterval(() => {
              game.step();
              best = Math.max(best, game.score);
              requestRender();
            }, STEP_MS);
            return {
              state: "live",
              render: () => ({
                rows: game.rows().map((row) => theme.style("accent")(row)),
                stableRows: 0,
              }),
              handleKey: (input) => {
                if (input.type !== "key") return false;
                if (input.key === "enter" && game.isOver) game = new Snake();
                else if (input.key in WAYS) game.steer(input.key);
                else return false;
                requestRender();
                return true;
              },
              [Symbol.dispose]: () => clearInterval(timer),
            };
          });
          return `${best} points.`;
        },
      },
    ],
  }),
});
