// The aliases of a zsh startup file that mean the same to bash: whole lines of the plain form, with
// nothing in them that a shell would have to work out. The file is read, not run.

const PLAIN_ALIAS =
  /^[ \t]*alias[ \t]+([A-Za-z0-9_.:-]+)=(?:'([^'\n]*)'|"([^"$`\\\n]*)")[ \t]*(?:[;#].*)?$/gm;

export function zshAliases(text: string): Record<string, string> {
  const found = [...text.matchAll(PLAIN_ALIAS)].filter(([, name]) => !name!.startsWith("-"));
  return Object.fromEntries(found.map(([, name, single, double]) => [name!, single ?? double!]));
}
