// Statements that a client of a database is given, as far as their words tell what is lost. The words
// may be torn apart by comments, put together from variables, or hidden in a text that the database
// runs, so they are tidied first; what begins with a word that nobody knows asks.

/** Whatever the database is, this cannot be had back. */
const LOSES =
  /\b(?:drop|truncate)\s+(?:table|database|schema|keyspace|collection|index|view|materialized|user|role|owned|column|extension|type|sequence|function|tablespace|measurement|bucket|cascade|if\s+exists|\w+)|\bdelete\s+(?:[\w.,*`"]+\s+)?from\b|\balter\s+(?:table|stream|database|schema)\b[^;]*\b(?:drop|delete|update|clear|detach|freeze|rename|truncate)\b|\bthen\s+delete\b|\bdrop(?:Database|Collection|Index(?:es)?|User)?\s*\(|dropDatabase|deleteDatabase|\.(?:deleteMany|deleteOne|remove|findOneAndDelete|drop|renameCollection|bulkWrite|dropIndexes)\s*\(|\bflush(?:all|db)\b|\bshutdown\b|\bpurge\b|\bmatch\b[^;]*\bdetach?\s*delete\b|\breset\s+(?:master|slave|replica|binary)\b|\b(?:stop|change)\s+(?:slave|replica|master|replication)\b|\breplace\s+into\b|\brename\s+(?:table|user)\b|\bcreate\s+or\s+replace\s+(?:function|procedure|trigger|rule|package)\b|\balter\s+system\b|\binto\s+function\b|\bunset\s+persist/i;
/** Without a condition, or with one that is always true, it is every row. */
const EVERY_ROW =
  /\bupdate\s+(?:only\s+)?[\w."`[\]]+\s+set\b(?!(?:(?!;)[\s\S])*\bwhere\b)|\bupdate\b[^;]*\bwhere\s+(?:true|1|(\w+)\s*=\s*\1|'(\w*)'\s*=\s*'\2')\s*(?:;|$)/i;
/** Functions that do more than say something. */
const ACTING =
  /\b(?:pg_(?:terminate|cancel)_backend|pg_drop_replication_slot|pg_reload_conf|pg_promote|pg_switch_wal|pg_file_(?:write|unlink|rename)|lo_(?:unlink|import|export)|dblink(?:_exec|_connect)?|query_to_xml|database_to_xml|setval|sp_(?:delete|drop|remove|oacreate|configure|executesql|msforeachtable)\w*|xp_\w+|sys_eval|load_extension)\s*\(|\bsp_(?:executesql|msforeachtable|configure)\b/i;
/** A text that the database itself takes for a statement. */
const DYNAMIC =
  /\bexecute\s+(?:immediate\b|format\s*\(|'|\w+\s*(?:;|$)|[^;]*\|\|)|\bprepare\s+\w+\s+from\b|\bexec(?:ute)?\s*\(|\\gexec\b/i;
/** What people say to a database, all of it about looking, adding, or one's own session. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  `select with show explain describe desc use set begin start commit rollback savepoint release end abort insert update create
  alter comment analyze analyse vacuum reindex values table copy declare fetch close move lock unlock listen notify unlisten
  discard pragma from match return call do grant revoke delete drop truncate merge refresh cluster checkpoint help status
  source exit quit go print list info optimize check repair attach detach exists system consistency tracing paging
  load import export install summarize pivot from describe if while for let var const profile ping dbs collections
  upsert define live relate kill flush reset purge replace rename handler prepare execute deallocate exec backup restore
  register watch retract using buckets tables databases schema schemas query connect put scan get count delimiter
  stop change xa signal resignal shutdown binlog cache clone uninstall security reassign reset_connection undrop`.split(
    /\s+/,
  ),
);
/** Of these nobody needs to know more: they end what others do, or run what is kept elsewhere. */
const STRONG_FIRST =
  /^\s*(?:kill|flush\s+(?!tables\s+with)|reset|purge|shutdown|stop|change|uninstall|install\s+plugin|clone|binlog|reassign|security|restore|undrop|merge\b[^;]*\bdelete)\b/i;
/** `:x`, `:'x'`, `:"x"`, `$(x)` of a client, and `@x` of none. */
const VARIABLE = /(?<![:\w]):(['"]?)(\w+)\1(?!:)|\$\((\w+)\)/g;
const MAX_STATEMENTS = 200_000;

/** Without comments and line breaks between words; what MySQL runs in a comment is left. */
export function tidyStatements(text: string, variables: ReadonlyMap<string, string>): string {
  if (text.length > MAX_STATEMENTS) return text;
  const known = new Map(variables);
  for (const [, name, value] of text.matchAll(/\\set\s+(\w+)\s+'?([^'\n]*)'?/g))
    known.set(name!, value!);
  const filled = text.replace(
    VARIABLE,
    (whole, _quote: string, name?: string, other?: string) =>
      known.get(name ?? other ?? "") ?? whole,
  );
  return withoutComments(filled)
    .replace(/(?<=^|[\s;])--\s[^\n]*/g, " ")
    .replace(/'\s*\|\|\s*'|'\s*\+\s*'|"\s*\+\s*"/g, "")
    .replace(/[ \t\r\f\v\u00a0]+/g, " ");
}

/** What MySQL runs in a comment stays; in a path the signs are part of a pattern. */
function withoutComments(text: string): string {
  let tidy = "";
  let at = 0;
  for (;;) {
    const from = text.indexOf("/*", at);
    const to = from < 0 ? -1 : text.indexOf("*/", from + 2);
    if (to < 0) return tidy + text.slice(at);
    const inner = text.slice(from + 2, to);
    const isPattern = /[./]$/.test(text.slice(Math.max(at, from - 1), from));
    const kept = isPattern ? `/*${inner}*/` : ` ${/^!\d*\s*([\s\S]*)$/.exec(inner)?.[1] ?? ""} `;
    tidy += text.slice(at, from) + kept;
    at = to + 2;
  }
}

export function losesRows(text: string): boolean {
  return LOSES.test(text) || EVERY_ROW.test(text);
}

/** Why it cannot be told what the statements do; undefined if it can. */
export function openStatement(text: string): string | undefined {
  if (DYNAMIC.test(text)) return "its statement is put together in the database";
  for (const statement of text.split(/;|\n\s*\n|^\s*go\s*$/im)) {
    const first = /^[\s(]*([A-Za-z_]\w*|[:@$]\S+)/.exec(statement)?.[1];
    if (first === undefined) continue;
    const isPart = /^\s*[\\.]|^\s*[A-Za-z_]\w*\s*(?:[.(=:]|$)/.test(statement);
    if (/^[:@$]/.test(first)) return "its statement is only known when it runs";
    if (!isPart && !FIRST_WORDS.has(first.toLowerCase()) && /\s/.test(statement.trim()))
      return `it is not known what ${first} does in a database`;
  }
  return undefined;
}

export function actsOnServer(text: string): boolean {
  return (
    ACTING.test(text) || text.split(";").some((statement) => STRONG_FIRST.test(statement.trim()))
  );
}
