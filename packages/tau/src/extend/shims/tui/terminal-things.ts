// What the family's code asks about the terminal itself. Pictures are Tau's to draw, so that here is
// nothing that could draw one; what is asked is answered as on a terminal without.

import { hyperlink as link } from "@tau/tui/width";
import { Container, type FamilyComponent } from "./basics.ts";

export const CURSOR_MARKER = "";

export function isFocusable(component: unknown): boolean {
  return typeof component === "object" && component !== null && "focused" in component;
}

export function hyperlink(text: string, target: string): string {
  return link(text, target);
}

export const getCapabilities = () => ({ images: null, trueColor: true, hyperlinks: false });
export const detectCapabilities = getCapabilities;
export const getCellDimensions = () => ({ widthPx: 9, heightPx: 18 });
export const calculateImageRows = (): number => 1;
export const imageFallback = (mimeType: string): string => `[image: ${mimeType}]`;
export const renderImage = (): null => null;
export const getImageDimensions = (): null => null;

export class Image implements FamilyComponent {
  readonly #mimeType: string;

  constructor(_data: string, mimeType: string) {
    this.#mimeType = mimeType;
  }

  invalidate(): void {}

  render(): string[] {
    return [imageFallback(this.#mimeType)];
  }
}

/** Made by Tau; that it can be named is for `instanceof` and types. */
export class TUI extends Container {
  requestRender(): void {}
}

/** Where somebody would type, if Tau did not draw its own cursor. */
export const renderFakeCursor = (text: string): string => text;
