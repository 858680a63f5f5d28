import { expect, test } from "bun:test";
import fc from "fast-check";
import { displayWidth } from "../width.ts";
import { EditorModel } from "./editor-model.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The obvious editor: one string, one index, everything by looking at all of it. */
class PlainEditor {
  text = "";
  at = 0;
  cut = "";

  boundaries(): number[] {
    const places = Array.from(segmenter.segment(this.text), ({ index }) => index);
    return [...places, this.text.length];
  }

  change(from: number, to: number, text: string): void {
    if (from === to && text === "") return;
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    const end = from + text.length;
    this.at = this.boundaries().find((place) => place >= end) ?? this.text.length;
  }

  next(): number {
    return this.boundaries().find((place) => place > this.at) ?? this.at;
  }

  previous(): number {
    return this.boundaries().findLast((place) => place < this.at) ?? this.at;
  }

  lineStart(): number {
    return this.text.slice(0, this.at).lastIndexOf("\n") + 1;
  }

  wordStart(): number {
    const start = this.lineStart();
    if (start === this.at) return this.previous();
    const places = this.boundaries().filter((place) => place >= start && place <= this.at);
    const isBlank = (index: number): boolean => /^\s/.test(this.text.slice(places[index]!));
    let index = places.length - 1;
    while (index > 0 && isBlank(index - 1)) index--;
    while (index > 0 && !isBlank(index - 1)) index--;
    return places[index]!;
  }

  lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }
}

type Step = { name: keyof typeof STEPS; text: string };

const STEPS = {
  insert: (model: EditorModel, plain: PlainEditor, text: string): void => {
    model.paste(text);
    plain.change(plain.at, plain.at, text);
  },
  back: (model: EditorModel, plain: PlainEditor): void => {
    model.delete("backward");
    plain.change(plain.previous(), plain.at, "");
  },
  forward: (model: EditorModel, plain: PlainEditor): void => {
    model.delete("forward");
    plain.change(plain.at, plain.next(), "");
  },
  left: (model: EditorModel, plain: PlainEditor): void => {
    model.move("backward");
    plain.at = plain.previous();
  },
  right: (model: EditorModel, plain: PlainEditor): void => {
    model.move("forward");
    plain.at = plain.next();
  },
  home: (model: EditorModel, plain: PlainEditor): void => {
    model.moveToLineEdge("backward");
    plain.at = plain.lineStart();
  },
  end: (model: EditorModel, plain: PlainEditor): void => {
    model.moveToLineEdge("forward");
    plain.at = plain.lineEnd();
  },
  killWord: (model: EditorModel, plain: PlainEditor): void => {
    model.move("forward");
    plain.at = plain.next();
    model.killWord("backward", "blank-delimited");
    const start = plain.wordStart();
    if (start !== plain.at) plain.cut = plain.text.slice(start, plain.at);
    plain.change(start, plain.at, "");
  },
  yank: (model: EditorModel, plain: PlainEditor): void => {
    // A motion between cut and cut keeps them apart, as the plain editor has only one.
    model.move("backward");
    plain.at = plain.previous();
    model.yank();
    plain.change(plain.at, plain.at, plain.cut);
  },
  killToEnd: (model: EditorModel, plain: PlainEditor): void => {
    model.moveToLineEdge("backward");
    plain.at = plain.lineStart();
    model.killLine("forward");
    const end = plain.lineEnd() === plain.at ? plain.next() : plain.lineEnd();
    if (end !== plain.at) plain.cut = plain.text.slice(plain.at, end);
    plain.change(plain.at, end, "");
  },
  killToStart: (model: EditorModel, plain: PlainEditor): void => {
    model.moveToLineEdge("forward");
    plain.at = plain.lineEnd();
    model.killLine("backward");
    const start = plain.lineStart() === plain.at ? plain.previous() : plain.lineStart();
    if (start !== plain.at) plain.cut = plain.text.slice(start, plain.at);
    plain.change(start, plain.at, "");
  },
};

const piece = fc.oneof(
  fc.constantFrom("a", "word ", "\n", "日", "e\u0301", "\u0301", "👩‍👩‍👧", "🇩🇪", "\u200d", "\t", "한"),
  fc
    .string({ unit: "grapheme", maxLength: 6 })
    .filter((text) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/.test(text)),
);
const steps = fc.array(
  fc.record({
    name: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
    text: piece,
  }),
  { maxLength: 40 },
);

const noFolding = { lines: 1e9, chars: 1e9 };

function indexOf(model: EditorModel): number {
  const { line, offset } = model.caret;
  let index = offset;
  for (let at = 0; at < line; at++) index += model.line(at).length + 1;
  return index;
}

function run(model: EditorModel, plain: PlainEditor, list: readonly Step[]): void {
  for (const { name, text } of list) STEPS[name](model, plain, text);
}

test("law: any sequence of edits equals the plain editor, with the caret on a boundary", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const model = new EditorModel(noFolding);
      const plain = new PlainEditor();
      for (const step of list) {
        run(model, plain, [step]);
        expect(model.rawText).toBe(plain.text);
        expect(indexOf(model)).toBe(plain.at);
        expect(plain.boundaries()).toContain(plain.at);
      }
    }),
    { numRuns: 300 },
  );
});

test("law: undoing everything gives the beginning, redoing everything the end", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const model = new EditorModel(noFolding);
      run(model, new PlainEditor(), list);
      for (const letter of "typed too ") model.insert(letter);
      const end = { text: model.rawText, caret: model.caret };
      while (model.undo());
      expect(model.rawText).toBe("");
      while (model.redo());
      expect({ text: model.rawText, caret: model.caret }).toEqual(end);
    }),
    { numRuns: 200 },
  );
});

test("law: undo restores text and caret exactly, redo the change exactly", () => {
  const changes: Readonly<Record<string, (model: EditorModel) => void>> = {
    paste: (model) => model.paste("new 日本\ntext"),
    put: (model) => model.setText("other"),
    back: (model) => model.delete("backward"),
    forward: (model) => model.delete("forward"),
    line: (model) => model.killLine("forward"),
    word: (model) => model.killWord("backward", "word"),
    yank: (model) => model.yank(),
  };
  fc.assert(
    fc.property(steps, fc.constantFrom(...Object.keys(changes)), (list, name) => {
      const model = new EditorModel(noFolding);
      run(model, new PlainEditor(), list);
      // A motion ends the step before, so that the change is one of its own.
      model.move("backward");
      const stateOf = (): unknown => ({ text: model.rawText, caret: model.caret });
      const before = stateOf();
      const { version } = model;
      changes[name]!(model);
      const after = stateOf();
      if (model.version === version) return;
      expect(model.undo()).toBe(true);
      expect(stateOf()).toEqual(before);
      expect(model.redo()).toBe(true);
      expect(stateOf()).toEqual(after);
    }),
    { numRuns: 300 },
  );
});

test("law: rows cover the line exactly, fit the width, and give every place one column", () => {
  const line = fc
    .array(piece, { maxLength: 20 })
    .map((parts) => parts.join("").replaceAll("\n", " "));
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const model = new EditorModel(noFolding);
      model.setText(text);
      const kept = model.line(0);
      const rows = model.layout.rows(kept, columns);
      expect(rows.map((row) => kept.slice(row.start, row.end)).join("")).toBe(kept);
      for (const row of rows) {
        expect(displayWidth(model.layout.drawRow(kept, row, columns))).toBeLessThanOrEqual(columns);
      }
      model.moveToTextEdge("backward");
      for (let guard = 0; guard <= kept.length; guard++) {
        expect(model.caretColumn(columns)).toBeLessThanOrEqual(columns);
        model.move("forward");
      }
    }),
    { numRuns: 200 },
  );
});

test("undo takes back words, not letters, and a paste as a whole", () => {
  const model = new EditorModel();
  for (const letter of "one two") model.insert(letter);
  model.paste(" pasted here");
  model.undo();
  expect(model.text).toBe("one two");
  model.undo();
  expect(model.text).toBe("one ");
  model.undo();
  expect(model.text).toBe("");
  model.redo();
  expect(model.text).toBe("one ");
  model.delete("backward");
  model.delete("backward");
  model.undo();
  expect(model.text).toBe("one ");
});

test("cuts that follow one another come back as one, and older ones by rotation", () => {
  const model = new EditorModel();
  model.setText("alpha beta gamma");
  model.killWord("backward", "blank-delimited");
  model.killWord("backward", "blank-delimited");
  expect(model.text).toBe("alpha ");
  model.yank();
  expect(model.text).toBe("alpha beta gamma");
  model.killLine("backward");
  model.yank();
  model.yankPop();
  expect(model.text).toBe("beta gamma");
  model.yankPop();
  expect(model.text).toBe("alpha beta gamma");
});

test("a large paste is one token: shown as a label, expanded in the text, deleted as one", () => {
  const model = new EditorModel();
  const pasted = Array.from({ length: 120 }, (_, index) => `line ${index}`).join("\r\n");
  model.insert("see ");
  model.paste(pasted);
  expect(model.shownText).toBe("see [paste #1, 120 lines]");
  expect(model.text).toBe(`see ${pasted.replaceAll("\r\n", "\n")}`);
  model.delete("backward");
  expect(model.text).toBe("see ");
  model.undo();
  expect(model.shownText).toBe("see [paste #1, 120 lines]");
  model.paste("x".repeat(5000));
  expect(model.shownText).toEndWith("[paste #2, 5000 characters]");
});

test("escapes and control characters of a paste never enter the text", () => {
  const model = new EditorModel();
  model.paste("a\x1b[31mred\x1b[0m\x07b\u{10f001}\ud800");
  expect(model.text).toBe("aredb\ufffd\ufffd");
});

test("up and down keep their column through short and wrapped lines", () => {
  const model = new EditorModel();
  model.setText("0123456789\nab\n0123456789");
  model.moveRows(-1, 40);
  expect(model.caret).toEqual({ line: 1, offset: 2 });
  model.moveRows(-1, 40);
  expect(model.caret).toEqual({ line: 0, offset: 10 });
  expect(model.moveRows(-1, 40)).toBe(false);
  model.setText("aaaa bbbb cccc");
  expect(model.caretRow(5)).toBe(2);
  model.moveRows(-1, 5);
  expect(model.caret).toEqual({ line: 0, offset: 9 });
  model.moveToRowEdge("backward", 5);
  expect(model.caret.offset).toBe(5);
  model.moveToRowEdge("backward", 5);
  expect(model.caret.offset).toBe(0);
});

test("words, also of other scripts", () => {
  const model = new EditorModel();
  model.setText("foo.bar größe");
  model.moveWord("backward");
  expect(model.caret.offset).toBe(8);
  model.moveWord("backward");
  expect(model.caret.offset).toBe(4);
  model.moveWord("forward");
  expect(model.caret.offset).toBe(7);
});
