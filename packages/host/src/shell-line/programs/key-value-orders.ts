// Orders to stores of keys and values (Redis, memcached): a closed list of those that look or add.
// They are few and short, so whatever else is said to such a store asks.

/** They look, or put something where the work wants it. */
const QUIET: ReadonlySet<string> = new Set(
  `get mget strlen getrange substr exists type ttl pttl expiretime pexpiretime keys scan randomkey dbsize object dump touch
  hget hmget hgetall hkeys hvals hlen hexists hscan hstrlen hrandfield lrange llen lindex lpos smembers sismember smismember
  scard srandmember sscan sinter sunion sdiff sintercard zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zrank
  zrevrank zscore zmscore zcard zcount zlexcount zscan zrandmember xrange xrevrange xlen xread xinfo xpending geopos geodist
  geosearch georadius geohash pfcount getbit bitcount bitpos bitfield_ro ping echo info time role lastsave command hello auth
  select quit exit client config cluster memory latency slowlog monitor subscribe psubscribe ssubscribe pubsub wait help
  set setex psetex setnx mset msetnx append incr incrby incrbyfloat decr decrby hset hmset hsetnx hincrby hincrbyfloat
  lpush rpush lpushx rpushx linsert lset sadd zadd zincrby xadd xgroup xack geoadd pfadd setbit setrange getset getex persist
  publish spublish multi exec discard watch unwatch bgsave save bgrewriteaof asking readonly readwrite module function script
  json.get json.mget json.type json.set json.arrappend json.objkeys ft.search ft.info ft._list ft.create ft.aggregate
  ts.get ts.range ts.info ts.add ts.create bf.exists bf.add bf.info graph.query graph.ro_query
  stats version verbosity gets add replace prepend cas incr decr sort sort_ro lcs lolwut copy acl`.split(
    /\s+/,
  ),
);
/** Of these only the words that look. */
const LOOKING: ReadonlyMap<string, RegExp> = new Map([
  ["client", /^(?:list|info|id|getname|setname|no-evict|reply|tracking\w*|help)\b/i],
  ["config", /^(?:get|resetstat|help)\b/i],
  ["cluster", /^(?:info|nodes|slots|shards|myid|keyslot|countkeysinslot|links|help)\b/i],
  ["memory", /^(?:usage|stats|doctor|malloc-stats|help)\b/i],
  ["latency", /^(?:latest|history|doctor|graph|histogram|help)\b/i],
  ["slowlog", /^(?:get|len|help)\b/i],
  ["module", /^(?:list|help)\b/i],
  ["function", /^(?:list|stats|dump|help)\b/i],
  ["script", /^(?:exists|load|help)\b/i],
  ["acl", /^(?:list|whoami|users|cat|getuser|log|help)\b/i],
  ["xgroup", /^(?:create|createconsumer)\b/i],
]);

/** Whether each line of it looks or adds. */
export function isQuietOrder(text: string): boolean {
  return text.split("\n").every((line) => {
    const [, word = "", rest = ""] = /^\s*(?:\d+\s+)?([\w.-]*)\s*(.*)$/s.exec(line) ?? [];
    if (word === "" || line.trim().startsWith("#")) return true;
    if (!QUIET.has(word.toLowerCase())) return false;
    if (word.toLowerCase() === "sort" || word.toLowerCase() === "copy")
      return !/\b(?:store|replace)\b/i.test(rest);
    return LOOKING.get(word.toLowerCase())?.test(rest) !== false;
  });
}

/** A single key, by its name. */
export function isForgettingKey(text: string): boolean {
  return /^\s*(?:del|unlink|expire)\s+[\w:.{}@/-]+\s*$/i.test(text);
}

/** What is lost by a word that somebody says to a port: to a store, or to a server of pages. */
const SPOKEN =
  /^\s*"?(?:flush\w*|del(?:ete)?|unlink|shutdown|config\s+set|slaveof|replicaof|module\s+load|drop|purge|eval|script\s+flush|debug|rename|migrate|swapdb|kill|halt|poweroff|reboot|quit!?)\b(?!\s+\/)/im;
const REQUEST = /^\s*(?:DELETE|PURGE|PUT|PATCH)\s+\S+/m;

export function isLosingTalk(text: string, isOwn: boolean): boolean {
  const spoken = text.replace(/\\[rnt]/g, "\n").replace(/^\s*(?:\*\d+|\$\d+)\s*$/gm, "");
  return SPOKEN.test(spoken.replace(/^quit$/gim, "")) || (!isOwn && REQUEST.test(spoken));
}
