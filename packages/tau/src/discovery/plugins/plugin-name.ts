// How plugins and marketplaces may be called. A name becomes a directory, a prefix of commands and a
// word on terminals; one that would mean something there is refused.

/** As npm's registry bounds the names of packages. */
const MAX_NAME_CHARACTERS = 214;
const PLUGIN_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

export function isPluginName(name: unknown): name is string {
  return (
    typeof name === "string" &&
    name.length <= MAX_NAME_CHARACTERS &&
    PLUGIN_NAME.test(name) &&
    !name.includes("..")
  );
}

/** Of one directory, whatever the scope. */
export function directoryNameOf(name: string): string {
  return name.replace("/", "+");
}
