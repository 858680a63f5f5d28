// Everything that the gallery shows. A line more is a section more.

import { codeSection } from "./code-section.ts";
import { componentsSection } from "./components-section.ts";
import { conversationSection } from "./conversation-section.ts";
import { dialogsSection } from "./dialogs-section.ts";
import { editorSection } from "./editor-section.ts";
import type { GallerySection } from "./gallery-section.ts";
import { markdownSection } from "./markdown-section.ts";
import { themeSection } from "./theme-section.ts";
import { loadToolsSection } from "./tools-section.ts";

export async function loadGallery(): Promise<readonly GallerySection[]> {
  return [
    themeSection,
    editorSection,
    markdownSection,
    codeSection,
    componentsSection,
    dialogsSection,
    await loadToolsSection(),
    conversationSection,
  ];
}
