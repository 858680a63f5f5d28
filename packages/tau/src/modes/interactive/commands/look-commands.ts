// Commands about Tau itself: how it looks, its keys, accounts and settings.

import type { AppCommand } from "./app-command.ts";

export const LOOK_COMMANDS: readonly AppCommand[] = [];
