// Tools that change the machine: its services, programs, network and settings.

import type { ToolRow } from "./tool-row.ts";

export const MACHINE_TOOLS: Readonly<Record<string, ToolRow>> = {
  systemctl: {
    globals: "H host M machine t type p property",
    looks: /^(?:status|list-units|list-unit-files|list-timers|show|is-active|is-enabled|cat)\b/,
    flags:
      /^(?:--user|--all|-a|-l|--full|--no-pager|--failed|--state(?:=.*)?|--type(?:=.*)?|-n|\d+|-t|-p)$/,
    critical: [
      [
        /^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|isolate|default|soft-reboot)\b/,
        "stops the machine",
      ],
      [
        /^(?:enable|disable|mask|unmask|edit|link|set-property|set-environment|import-environment|preset|add-wants|revert)\b/,
        "changes what starts with the machine",
      ],
      [/^(?:stop|restart|kill|start|reload)\b/, "changes what runs on the machine"],
    ],
    isLocal: true,
  },
  service: {
    critical: [[/\b(?:stop|restart|start|reload)\b/, "changes what runs on the machine"]],
    isLocal: true,
  },
  launchctl: {
    looks: /^(?:list|print|print-disabled|blame|version|help|managername|getenv)\b/,
    critical: [
      [
        /^(?!(?:list|print|print-disabled|blame|version|help|managername|getenv)\b)./,
        "changes what starts with the machine",
      ],
    ],
    isLocal: true,
  },
  loginctl: {
    looks: /^(?:list-\w+|show-\w+|\w*-status)\b/,
    critical: [[/^(?:terminate|kill|enable-linger|disable|lock)/, "ends a session"]],
    isLocal: true,
  },
  tmux: { critical: [[/^kill-server\b/, "ends every terminal session"]], isLocal: true },
  brew: {
    looks: /^(?:list|info|deps|config|leaves)\b/,
    flags: /^--?(?:versions|formula|cask|json|1|v)(?:=.*)?$/,
    critical: [
      [
        /^(?:install|reinstall|upgrade|link|unlink|tap|untap|bundle|pin|uninstall|remove|rm|autoremove|cleanup|services (?:start|stop|restart|run|kill))\b/,
        "changes the machine's programs",
      ],
    ],
  },
  apt: {
    looks: /^(?:list|show|search|policy)\b/,
    flags: /^--?(?:installed|upgradable|a|names-only|n)$/,
    critical: [
      [
        /^(?:remove|purge|autoremove|install|upgrade|full-upgrade|dist-upgrade|edit-sources)\b/,
        "changes the machine's programs",
      ],
    ],
    globals: "o c t",
  },
  "apt-get": {
    globals: "o c t",
    critical: [
      [
        /^(?:remove|purge|autoremove|install|upgrade|dist-upgrade|clean)\b/,
        "changes the machine's programs",
      ],
    ],
  },
  "apt-cache": {
    looks: /^(?:search|show|showpkg|policy|depends|rdepends|pkgnames|madison|stats)\b/,
    flags: /^--(?:names-only|installed|recurse|full)$/,
  },
  dpkg: {
    looks: /^(?:-l|-L|-s|-S|--list|--status|--get-selections)/,
    flags: /^-[lLsS]$|^--(?:list|status|get-selections)$/,
    critical: [
      [/^-(?:i|r|P)\b|--(?:install|remove|purge|unpack)/, "changes the machine's programs"],
    ],
    isLocal: true,
  },
  rpm: {
    looks: /^-q/,
    flags: /^-q[alifpR]*$/,
    critical: [[/^-[eiUF]|--(?:erase|install|upgrade)/, "changes the machine's programs"]],
    isLocal: true,
  },
  dnf: {
    critical: [
      [/^(?:-y )?(?:remove|erase|install|upgrade|autoremove)\b/, "changes the machine's programs"],
    ],
  },
  yum: {
    critical: [
      [/^(?:-y )?(?:remove|erase|install|upgrade|update)\b/, "changes the machine's programs"],
    ],
  },
  pacman: {
    looks: /^-Q/,
    flags: /^-Q[a-z]*$/,
    critical: [[/^-[RSU]/, "changes the machine's programs"]],
  },
  apk: { critical: [[/^(?:del|add|upgrade)\b/, "changes the machine's programs"]] },
  snap: {
    looks: /^(?:list|info|find)\b/,
    critical: [[/^(?:remove|install|refresh|disable)\b/, "changes the machine's programs"]],
  },
  flatpak: {
    looks: /^(?:list|info|search)\b/,
    critical: [[/^(?:uninstall|remove|install|override)\b/, "changes the machine's programs"]],
  },
  ip: {
    critical: [[/\b(?:set|add|del|delete|flush|change|replace)\b/, "changes the network"]],
    looks: /^(?:-\w+ )*(?:a|addr|address|link|route|r|neigh)(?: (?:show|list|ls)\b.*)?$/,
    flags: /^-\w+$/,
    isLocal: true,
  },
  gsettings: {
    looks: /^(?:get|list\S*|range|describe)\b/,
    critical: [[/^(?:set|reset)/, "changes the desktop's settings"]],
    isLocal: true,
  },
  dconf: {
    looks: /^(?:read|list|dump)\b/,
    critical: [[/^(?:write|reset|load)\b/, "changes the desktop's settings"]],
    isLocal: true,
  },
  defaults: {
    looks: /^(?:read|domains|find)\b/,
    critical: [[/^(?:write|delete|import|rename)\b/, "changes the machine's settings"]],
    isLocal: true,
  },
  nmcli: {
    looks: /^(?:general|device|connection|g|d|c|con|dev)?(?: (?:status|show|list))?$/,
    critical: [[/\b(?:off|down|delete|modify|add|disconnect)\b/, "changes the network"]],
    isLocal: true,
  },
  ifconfig: {
    looks: /^\S*$/,
    critical: [[/\b(?:down|up|inet|netmask)\b/, "changes the network"]],
    isLocal: true,
  },
};
