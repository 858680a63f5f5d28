// Built-in themes besides dark and light, as other values for the same variables: strong contrast
// for tired eyes and bright rooms, and a palette that many know from elsewhere.

import type { ThemeDocument } from "./theme-document.ts";

const DARK_HIGH_CONTRAST: ThemeDocument = {
  name: "dark-high-contrast",
  extends: "dark",
  vars: {
    blue: "#9ecbff",
    cyan: "#7ee8fa",
    green: "#a6f28f",
    yellow: "#ffdf7f",
    orange: "#ffbf80",
    red: "#ffa1a1",
    violet: "#e2b6ff",
    grey: 252,
    faint: 249,
  },
  colors: {
    borderMuted: 249,
    selectedBg: "#00427a",
    userMessageBg: "#262626",
    customMessageBg: "#2b2238",
    toolPendingBg: "#1c1c1c",
    toolSuccessBg: "#10301a",
    toolErrorBg: "#401515",
    statusLineBg: "#1c1c1c",
  },
};

const LIGHT_HIGH_CONTRAST: ThemeDocument = {
  name: "light-high-contrast",
  extends: "light",
  vars: {
    blue: "#003f9e",
    cyan: "#00525c",
    green: "#1b5200",
    yellow: "#5c3f00",
    orange: "#743300",
    red: "#8f0010",
    violet: "#58106e",
    grey: 237,
    faint: 239,
  },
  colors: { borderMuted: 239, selectedBg: "#bcd7ff", statusLineBg: "#dedede" },
};

const SOLARIZED_ACCENTS = {
  blue: "#268bd2",
  cyan: "#2aa198",
  green: "#859900",
  yellow: "#b58900",
  orange: "#cb4b16",
  red: "#dc322f",
  violet: "#6c71c4",
};

const SOLARIZED_DARK: ThemeDocument = {
  name: "solarized-dark",
  extends: "dark",
  vars: { ...SOLARIZED_ACCENTS, grey: "#839496", faint: "#586e75" },
  colors: {
    borderMuted: "#073642",
    selectedBg: "#073642",
    userMessageBg: "#073642",
    customMessageBg: "#0a3038",
    toolPendingBg: "#05303b",
    toolSuccessBg: "#0b3a33",
    toolErrorBg: "#2d2b31",
    statusLineBg: "#073642",
  },
};

const SOLARIZED_LIGHT: ThemeDocument = {
  name: "solarized-light",
  extends: "light",
  vars: { ...SOLARIZED_ACCENTS, grey: "#657b83", faint: "#93a1a1" },
  colors: {
    borderMuted: "#eee8d5",
    selectedBg: "#eee8d5",
    userMessageBg: "#eee8d5",
    customMessageBg: "#ece6da",
    toolPendingBg: "#f5efdc",
    toolSuccessBg: "#eaefd0",
    toolErrorBg: "#f8e3d3",
    statusLineBg: "#eee8d5",
  },
};

export const MORE_THEMES: readonly ThemeDocument[] = [
  DARK_HIGH_CONTRAST,
  LIGHT_HIGH_CONTRAST,
  SOLARIZED_DARK,
  SOLARIZED_LIGHT,
];
