// What functions of JavaScript's libraries do, in the marks of `library-row.ts`. Functions of `fs` are
// meant with and without `Sync`, and with promises.

function rowsOf(table: string): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const line of table.trim().split("\n")) {
    const [names = "", row = ""] = line.split(" -> ").map((part) => part.trim());
    for (const name of names.split(/\s+/)) rows.set(name, row);
  }
  return rows;
}

export const JAVASCRIPT_ROWS = rowsOf(`
fs.rm fs.rmdir fs.unlink fs.remove fs.emptyDir -> d0
fs.rename fs.move -> r0 d0 o1 m1
fs.writeFile fs.appendFile fs.truncate fs.chmod fs.chown fs.lchown fs.lchmod fs.utimes fs.lutimes fs.createWriteStream fs.outputFile fs.outputJson fs.writeJson fs.outputJSON fs.writeJSON fs.WriteStream -> o0
fs.copyFile fs.cp fs.copy -> r0 R0 o1
fs.link fs.ensureLink -> r0 o0 w1 m1
fs.mkdir fs.mkdirp fs.ensureDir fs.ensureFile fs.createFile -> w0
fs.open -> f0/1:flags=r =0
fs.readFile fs.createReadStream fs.readJson fs.readJSON fs.ReadStream fs.openAsBlob -> r0
fs.readv fs.read fs.write fs.writev fs.close fs.fsync fs.fdatasync fs.fstat fs.ftruncate fs.futimes fs.fchmod fs.fchown -> z
fs.open.writeFile fs.open.write fs.open.appendFile fs.open.truncate -> z
Bun.write Bun.mmap process.report.writeReport v8.writeHeapSnapshot -> o0
Bun.file.delete Bun.file.unlink -> d@
Bun.file.writer Bun.file.write -> o@
Bun.file.text Bun.file.json Bun.file.arrayBuffer Bun.file.bytes Bun.file.stream Bun.file.formData -> r@
Bun.listen -> z
Bun.connect Bun.udpSocket Bun.fetch Bun.dns.lookup Bun.sql Bun.SQL Bun.redis Bun.RedisClient Bun.s3 Bun.S3Client Bun.dns.prefetch -> net
Bun.plugin Bun.dlopen ffi.dlopen ffi.cc ffi.linkSymbols ffi.CFunction ffi.JSCallback ffi.viewSource process.binding process._linkedBinding process.dlopen process.kcore vm.Script vm.SourceTextModule v8.setFlagsFromString inspector.Session inspector.open process.setuid process.setgid module._load module._compile module.register module.registerHooks -> past
child_process.exec -> x0
clipboardy.write clipboardy.writeSync navigator.clipboard.writeText copy_paste.copy ws ws.WebSocket -> net
fetch XMLHttpRequest WebSocket EventSource axios got undici.fetch undici.request node_fetch ky superagent -> net0
http.get http.request https.get https.request http2.connect net.connect net.createConnection net.Socket tls.connect dgram.createSocket dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.promises.lookup dns.reverse axios.get axios.post axios.put axios.patch axios.head axios.request got.get got.post ky.get ky.post navigator.sendBeacon -> net0
http.createServer https.createServer net.createServer http2.createServer -> z
Bun.s3.delete Bun.s3.unlink Bun.S3Client.delete Bun.S3Client.unlink -> net lost
nodemailer.createTransport.sendMail -> mail
rimraf rimraf.rimraf rimraf.sync rimraf.native del del.sync del.deleteSync del.deleteAsync trash fs_extra.remove -> d0
shelljs.rm -> d0 d1
shelljs.mv -> r0 d0 o1 m1
shelljs.cp -> o1
shelljs.exec -> x0
shelljs.cd -> z
mkdirp make_dir -> w0
write_file_atomic write_json_file -> o0
Deno.remove -> d0
Deno.writeTextFile Deno.writeFile Deno.create Deno.truncate Deno.chmod Deno.chown -> o0
Deno.rename -> r0 d0 o1 m1
Deno.copyFile -> r0 o1
Deno.readTextFile Deno.readFile -> r0
Deno.mkdir -> w0
Deno.link -> r0 o0 w1 m1
Deno.open -> o0
Deno.dlopen -> past
Deno.connect -> net
tar.x tar.extract -> z
`);

const words = (text: string): string[] => text.trim().split(/\s+/);

export const JAVASCRIPT_HARMLESS: ReadonlySet<string> = new Set(
  words(`Math JSON Object Array Date Number String Boolean RegExp Map Set WeakMap WeakSet Promise Symbol BigInt Intl Error TypeError
  RangeError SyntaxError console performance URL URLSearchParams TextEncoder TextDecoder Uint8Array Int8Array Uint16Array Int16Array
  Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array ArrayBuffer DataView Buffer structuredClone
  queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval crypto Headers Request Response FormData Blob File
  AbortController AbortSignal Event EventTarget Iterator Atomics Proxy Reflect parseInt parseFloat isNaN isFinite encodeURIComponent
  encodeURI decodeURI escape path url util assert events stream string_decoder querystring readline zlib os timers perf_hooks
  async_hooks test tty punycode buffer constants diagnostics_channel lodash lodash_es ramda dayjs moment date_fns luxon zod yup ajv
  chalk picocolors kleur ansi_colors yaml js_yaml toml ini csv_parse papaparse d3 mathjs bignumber uuid nanoid semver minimatch
  picomatch micromatch globby glob fast_glob cheerio jsdom marked markdown_it prettier typescript acorn esprima esbuild vite rollup
  postcss sass handlebars mustache ejs nunjucks pug react react_dom vue svelte rxjs immer redux zustand commander yargs minimist
  debug pino winston ora cli_table3 table boxen inquirer prompts immutable fuse bun valibot display tree counter sort uniq diff print
  Deno WebAssembly Temporal DOMParser atob_ btoa jest vitest bun_test expect xlsx exceljs sharp jimp canvas pdf_lib pdfkit image_size
  ignore diff_ fflate pako jszip archiver`),
);

export const JAVASCRIPT_POWERFUL: ReadonlyMap<string, RegExp> = new Map([
  [
    "fs",
    /^(?:exists|stat|lstat|statfs|access|readdir|opendir|realpath|readlink|watch|watchFile|unwatchFile|mkdtemp|constants(?:\.\w+)?|Stats|Dirent|promises|glob|pathExists|F_OK|R_OK|W_OK|X_OK|native|realpath\.native|open\.\w+|Dir)$/,
  ],
  ["child_process", /^(?:ChildProcess|\w+\.\w+)$/],
  [
    "process",
    /^(?:cwd|uptime|hrtime(?:\.bigint)?|memoryUsage(?:\.rss)?|cpuUsage|resourceUsage|nextTick|on|once|off|emit|addListener|removeListener|removeAllListeners|exit|abort|kill|emitWarning|getuid|geteuid|getgid|umask|stdout(?:\.\w+)?|stderr(?:\.\w+)?|stdin(?:\.\w+)?|send|disconnect|report(?:\.\w+)?|availableMemory|constrainedMemory|features(?:\.\w+)?|listenerCount|setMaxListeners|loadEnvFile|getActiveResourcesInfo|versions(?:\.\w+)?|release(?:\.\w+)?|hasUncaughtExceptionCaptureCallback|setUncaughtExceptionCaptureCallback|getegid|getgroups|ref|unref|setSourceMapsEnabled|allowedNodeEnvironmentFlags(?:\.\w+)?)$/,
  ],
  [
    "Bun",
    /^(?:file|serve|sleep|sleepSync|which|hash(?:\.\w+)?|inspect(?:\.\w+)?|nanoseconds|gzipSync|gunzipSync|deflateSync|inflateSync|zstd\w+|password(?:\.\w+)?|version|revision|env|main|argv|stdin(?:\.\w+)?|stdout(?:\.\w+)?|stderr(?:\.\w+)?|escapeHTML|stringWidth|stripANSI|deepEquals|deepMatch|peek(?:\.\w+)?|Transpiler|resolve|resolveSync|pathToFileURL|fileURLToPath|readableStreamTo\w+|concatArrayBuffers|ArrayBufferSink|randomUUIDv7|semver(?:\.\w+)?|color|CryptoHasher(?:\.\w+)?|SHA\w+|MD5|Glob|TOML(?:\.\w+)?|YAML(?:\.\w+)?|indexOfLine|gc|generateHeapSnapshot|shrink|openInEditor|markdown|JSONC(?:\.\w+)?|isMainThread|Cookie|CookieMap|FileSystemRouter|build|allocUnsafe|mmap|write_|\w+\.\w+)$/,
  ],
  ["module", /^(?:createRequire|builtinModules|isBuiltin|findPackageJSON)$/],
  ["vm", /^(?:constants|isContext|createContext)$/],
  [
    "worker_threads",
    /^(?:isMainThread|parentPort(?:\.\w+)*|threadName|getEnvironmentData|setEnvironmentData|receiveMessageOnPort|markAsUntransferable|workerData|threadId|MessageChannel|MessagePort|BroadcastChannel)$/,
  ],
  ["ffi", /^(?:suffix|FFIType|ptr|toBuffer|toArrayBuffer)$/],
]);

export const JAVASCRIPT_WEB: ReadonlySet<string> = new Set(
  words(`http https http2 net tls dgram dns axios got ky undici node_fetch superagent ws socket_io_client nodemailer ssh2 node_ssh
  ftp basic_ftp pg mysql mysql2 mongodb mongoose redis ioredis aws_sdk @aws_sdk/client_s3 googleapis openai @anthropic_ai/sdk
  @slack/web_api octokit @octokit/rest stripe twilio puppeteer playwright request needle cross_fetch isomorphic_fetch`),
);

export const JAVASCRIPT_REMOTE: ReadonlySet<string> = new Set(
  words(`pg mysql mysql2 mongodb mongoose redis ioredis aws_sdk @aws_sdk/client_s3 googleapis octokit @octokit/rest stripe twilio
  @prisma/client knex typeorm sequelize dockerode @kubernetes/client_node firebase_admin @google_cloud/storage elasticsearch`),
);
