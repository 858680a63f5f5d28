// Questions to the person at the terminal.

import { ConfirmDialog } from "@tau/tui/components/confirm-dialog";
import { InputDialog } from "@tau/tui/components/input-dialog";
import { SelectDialog } from "@tau/tui/components/select-dialog";
import type { KeyPress } from "@tau/tui/key-input";
import type { GallerySection } from "./gallery-section.ts";

const requestRender = (): void => undefined;
const ENTER: KeyPress = {
  type: "key",
  key: "enter",
  text: "",
  ctrl: false,
  alt: false,
  shift: false,
  meta: false,
};

export const dialogsSection: GallerySection = {
  name: "dialogs",
  about: "questions to the person at the terminal",
  items: [
    {
      name: "confirm",
      rows: ({ theme, columns }) =>
        new ConfirmDialog({
          title: "Delete the session?",
          question: "It has 42 entries and cannot be brought back once it is gone.",
          theme,
          requestRender,
        }).render(columns).rows,
    },
    {
      name: "select",
      rows: ({ theme, columns }) =>
        new SelectDialog({
          title: "Run this command?",
          items: [
            { value: "once", label: "Yes, once" },
            { value: "always", label: "Yes, always", detail: "git push *" },
            { value: "no", label: "No", detail: "and say what to do instead" },
          ],
          theme,
          requestRender,
        }).render(columns).rows,
    },
    {
      name: "input",
      rows({ theme, columns }) {
        const dialog = new InputDialog({
          title: "What is it to be called?",
          theme,
          requestRender,
          initial: "a name / with a slash",
          check: (text) => (text.includes("/") ? "A name has no slash." : undefined),
        });
        dialog.handleKey(ENTER);
        return dialog.render(columns).rows;
      },
    },
    {
      name: "secret",
      rows: ({ theme, columns }) =>
        new InputDialog({
          title: "The key",
          theme,
          requestRender,
          initial: "sk-12345678",
          show: "hidden",
        }).render(columns).rows,
    },
  ],
};
