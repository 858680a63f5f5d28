// Opens a page with the platform's own opener, where there is a display to open it on. A
// courtesy: the address is on the screen anyway, so nothing waits for it and nothing fails
// by it.

import type { Environment } from "@tau/ai/environment";
import { programOnPath } from "@tau/host/process/program-on-path";
import { freeVariables } from "@tau/host/process/reaper";

/** What a browser needs to find the desktop; keys and tokens are not among it. */
const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TERM|TMPDIR|BROWSER|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+|DESKTOP_SESSION|KDE_\w+|GNOME_\w+|WSL\w*|SystemRoot|windir|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|TEMP|TMP)$/;

export interface Desktop {
  platform: NodeJS.Platform;
  env: Environment;
}

/** Whether an opener was started. */
export function openBrowser(url: string, { platform, env }: Desktop): boolean {
  // What comes from a vendor is opened only if it is a web page.
  if (!/^https?:\/\//i.test(url)) return false;
  const opener = openerFor(platform, env);
  const program = opener && programOnPath(opener[0]!, env.PATH);
  if (!opener || !program) return false;
  try {
    const child = Bun.spawn([program, ...opener.slice(1), url], {
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))),
        ...freeVariables(),
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    child.unref();
    return true;
  } catch (error) {
    // The program has gone or may not be run: then there is no browser here.
    if ((error as { code?: string }).code !== undefined) return false;
    throw error;
  }
}

function openerFor(platform: NodeJS.Platform, env: Environment): string[] | undefined {
  if (platform === "darwin") return ["open"];
  // Not `start`: a shell would read the address.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (env.WSL_DISTRO_NAME) return ["wslview"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
