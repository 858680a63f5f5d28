// The prompt editor in its states.

import { PromptEditor, type PromptEditorOptions } from "@tau/tui/editor/prompt-editor";
import { listHistory } from "@tau/tui/editor/prompt-history";
import type { KeyPress } from "@tau/tui/key-input";
import type { GalleryItem, GallerySection } from "./gallery-section.ts";

const COMMANDS = [
  { label: "/compact", detail: "compact the conversation so far", insert: "/compact " },
  { label: "/config", detail: "change settings", insert: "/config " },
  { label: "/copy", detail: "copy the last answer", insert: "/copy " },
];

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  const text = [...key].length === 1 && !held.ctrl ? key : "";
  const none = { ctrl: false, alt: false, shift: false, meta: false };
  return { type: "key", key, text, ...none, ...held };
}

function item(
  name: string,
  use: (editor: PromptEditor) => void,
  options: Partial<PromptEditorOptions> = {},
): GalleryItem {
  return {
    name,
    async rows({ theme, columns }) {
      const editor = new PromptEditor({
        theme,
        requestRender: () => undefined,
        onSubmit: () => undefined,
        prompt: `${theme.symbols.pointer} `,
        placeholder: "Say what you want done",
        ...options,
      });
      editor.render(columns);
      use(editor);
      // A provider answers later, even one that knows at once.
      await Promise.resolve();
      return editor.render(columns).rows;
    },
  };
}

const type = (editor: PromptEditor, text: string): void => {
  for (const character of text) editor.handleKey(press(character));
};

export const editorSection: GallerySection = {
  name: "editor",
  about: "the prompt editor in its states",
  items: [
    item("empty", () => undefined),
    item("text", (editor) => editor.setText("Make the tests pass, and say why they failed.")),
    item("long", (editor) =>
      editor.setText(
        `${"A prompt that is longer than the row it stands in. ".repeat(5)}\nAnd two lines.`,
      ),
    ),
    item("wide-characters", (editor) => editor.setText("日本語のテスト 👩‍👩‍👧 é и русский")),
    item("folded-paste", (editor) => {
      type(editor, "What is wrong here: ");
      const text = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
      editor.handleKey({ type: "paste", text });
    }),
    item("completion", (editor) => type(editor, "/co"), {
      completion: { complete: () => COMMANDS },
    }),
    item(
      "history-search",
      (editor) => {
        editor.handleKey(press("r", { ctrl: true }));
        type(editor, "flaky");
      },
      { history: listHistory(["fix the flaky test", "look around"]) },
    ),
  ],
};
