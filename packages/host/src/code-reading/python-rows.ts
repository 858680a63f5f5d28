// What functions of Python's libraries do, in the marks of `library-row.ts`. What is not listed of a
// module that can do harm asks; what is listed as harmless only computes.

function rowsOf(table: string): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const line of table.trim().split("\n")) {
    const [names = "", row = ""] = line.split(" -> ").map((part) => part.trim());
    for (const name of names.split(/\s+/)) rows.set(name, row);
  }
  return rows;
}

export const PYTHON_ROWS = rowsOf(`
os.remove os.unlink os.rmdir os.removedirs -> d0:path
os.rename os.renames os.replace -> r0:src d0:src o1:dst m1:dst
os.truncate os.chmod os.lchmod os.chown os.lchown os.utime os.setxattr os.removexattr os.chflags -> o0:path
os.mkdir os.makedirs os.mkfifo os.mknod -> w0:name,path
os.link -> r0:src o0:src w1:dst m1:dst
os.chroot -> past
os.system os.popen os.startfile -> x0:command,cmd
os.setuid os.setgid os.seteuid os.setreuid os.setresuid os.plock os.putenv -> w9
os.stat os.lstat os.access os.statvfs os.readlink os.pathconf os.getxattr os.listxattr -> w9
shutil.rmtree -> d0:path
shutil.move -> r0:src d0:src o1:dst m1:dst
shutil.copy shutil.copy2 shutil.copyfile shutil.copymode shutil.copystat -> r0:src o1:dst
shutil.copytree -> R0:src o1:dst
shutil.chown -> o0:path
shutil.make_archive -> o0:base_name R2:root_dir
shutil.unpack_archive -> o1:extract_dir
pathlib.Path.unlink pathlib.Path.rmdir -> d@
pathlib.Path.write_text pathlib.Path.write_bytes pathlib.Path.chmod pathlib.Path.lchmod -> o@
pathlib.Path.touch pathlib.Path.mkdir -> w@
pathlib.Path.hardlink_to -> w@ r0:target o0:target
pathlib.Path.link_to -> r@ o@ w0:target m0:target
pathlib.Path.rename pathlib.Path.replace pathlib.Path.move pathlib.Path.move_into -> r@ d@ o0:target m0:target =0
pathlib.Path.copy pathlib.Path.copy_into -> r@ o0:target =0
pathlib.Path.read_text pathlib.Path.read_bytes -> r@
pathlib.Path.open -> f@/0:mode=r =@
builtins.open codecs.open gzip.open bz2.open lzma.open tarfile.open wave.open aiofiles.open tokenize.open zstandard.open -> f0/1:mode=r:file,filename,name,path,fp,store =0:file,filename,name,path,fp,store
tarfile.TarFile tarfile.TarFile.open zipfile.ZipFile zipfile.PyZipFile gzip.GzipFile bz2.BZ2File lzma.LZMAFile h5py.File netCDF4.Dataset pandas.HDFStore io.FileIO rasterio.open fiona.open zarr.open zarr.open_group -> f0/1:mode=r:file,filename,name,path,fp,store =0:file,filename,name,path,fp,store
soundfile.SoundFile -> f0/1:mode=r:file,filename,name,path,fp,store =0:file,filename,name,path,fp,store
logging.FileHandler logging.handlers.RotatingFileHandler logging.handlers.TimedRotatingFileHandler logging.handlers.WatchedFileHandler -> o0:filename
logging.basicConfig -> o9:filename
shelve.open dbm.open dbm.dumb.open dbm.gnu.open -> f0/1:flag=c:filename,file =0:filename,file
shelve.DbfilenameShelf -> o0:filename
zipfile.ZipFile.extractall tarfile.open.extractall tarfile.TarFile.extractall tarfile.TarFile.open.extractall zipfile.PyZipFile.extractall -> o0:path
zipfile.ZipFile.extract tarfile.open.extract tarfile.TarFile.extract tarfile.TarFile.open.extract -> o1:path
tarfile.open.add tarfile.TarFile.add zipfile.ZipFile.write tarfile.TarFile.open.add -> r0:name,filename R0:name,filename
zipfile.ZipFile.writestr zipfile.ZipFile.namelist zipfile.ZipFile.read tarfile.open.getmembers -> w9
json.dump pickle.dump yaml.dump yaml.safe_dump toml.dump tomli_w.dump marshal.dump dill.dump cloudpickle.dump plistlib.dump -> n1:fp,file,stream
joblib.dump torch.save skops.io.dump -> o1:filename,f
numpy.save numpy.savez numpy.savez_compressed numpy.savetxt -> o0:file,fname
numpy.memmap -> f0/2:mode=w:filename
numpy.lib.format.open_memmap numpy.lib.npyio.open_memmap -> f0/1:mode=w:filename
tempfile.TemporaryDirectory.cleanup -> d@
scipy.io.savemat scipy.io.wavfile.write soundfile.write imageio.imwrite imageio.imsave imageio.mimsave imageio.v3.imwrite imageio.get_writer cv2.imwrite cv2.VideoWriter skimage.io.imsave torchvision.utils.save_image torchaudio.save safetensors.torch.save_file -> o0:filename,file,fp
matplotlib.pyplot.savefig matplotlib.pyplot.imsave pylab.savefig matplotlib.backends.backend_pdf.PdfPages -> o0:fname,filename
pandas.ExcelWriter -> o0:path
polars.DataFrame.write_csv -> o0:file
plotly.io.write_image plotly.io.write_html plotly.offline.plot -> o1:file,filename
csv.writer csv.DictWriter -> w9
pandas.read_csv pandas.read_table pandas.read_excel pandas.read_json pandas.read_parquet pandas.read_feather pandas.read_xml pandas.read_html pandas.read_fwf pandas.read_hdf pandas.read_sas pandas.read_stata pandas.read_orc polars.read_csv polars.read_parquet polars.read_json polars.scan_csv polars.scan_parquet numpy.load numpy.loadtxt numpy.genfromtxt numpy.fromfile geopandas.read_file xarray.open_dataset imageio.imread cv2.imread matplotlib.pyplot.imread PIL.Image.open -> r0:filepath_or_buffer,path,io,file,fname,source
pandas.read_pickle pickle.load pickle.loads _pickle.loads cPickle.loads pickle.Unpickler dill.load dill.loads cloudpickle.load cloudpickle.loads joblib.load torch.load yaml.load yaml.unsafe_load yaml.full_load yaml.load_all jsonpickle.decode shelve.Unpickler -> load0:file,filepath_or_buffer,stream
marshal.loads marshal.load types.FunctionType types.CodeType types.MethodType code.interact code.InteractiveConsole code.InteractiveInterpreter codeop.compile_command ctypes.CDLL ctypes.PyDLL ctypes.WinDLL ctypes.OleDLL ctypes.LibraryLoader ctypes.cdll.LoadLibrary ctypes.pythonapi ctypes.util.find_library ctypes.CFUNCTYPE ctypes.memmove ctypes.string_at ctypes.cast cffi.FFI cffi.FFI.dlopen _ctypes.dlopen _ctypes.call_function sys.settrace sys.setprofile gc.get_objects gc.get_referrers inspect.currentframe sys._getframe mmap.mmap faulthandler._sigsegv -> past
pty.spawn -> x0:argv
asyncio.create_subprocess_shell -> x0:cmd
commands.getoutput commands.getstatusoutput popen2.popen2 -> x0
subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput -> x0:args,cmd
subprocess.Popen.communicate subprocess.Popen.wait subprocess.Popen.kill subprocess.Popen.terminate subprocess.Popen.poll subprocess.Popen.send_signal -> w9
sh.rm sh.mv sh.bash sh.sh -> past
plumbum.local plumbum.cmd.rm fabric.Connection.run fabric.Connection.sudo invoke.run pexpect.spawn pexpect.run delegator.run -> x0:command
paramiko.SSHClient.exec_command -> past
http.server.SimpleHTTPRequestHandler http.server.CGIHTTPRequestHandler -> R9:directory
send2trash.send2trash -> d0
tempfile.TemporaryFile tempfile.SpooledTemporaryFile -> w9
urllib.request.urlretrieve wget.download -> net0:url dl1:filename,out
urllib.request.urlopen urllib.request.Request urllib.request.build_opener requests.get requests.post requests.put requests.patch requests.head requests.options requests.request httpx.get httpx.post httpx.stream -> net0:url
requests.delete httpx.delete -> net0:url
socket.gethostname socket.getfqdn socket.inet_aton socket.inet_ntoa socket.htons socket.ntohs -> w9
socket.create_connection -> net0:address
smtplib.SMTP smtplib.SMTP_SSL -> net0:host
smtplib.SMTP.sendmail smtplib.SMTP.send_message smtplib.SMTP_SSL.sendmail smtplib.SMTP_SSL.send_message -> mail
webbrowser.open webbrowser.open_new webbrowser.open_new_tab -> net0:url
torch.hub.load -> net past
dotenv.load_dotenv dotenv.dotenv_values dotenv.find_dotenv decouple.Config -> w9
fileinput.FileInput -> o0:files
distutils.dir_util.remove_tree setuptools._distutils.dir_util.remove_tree -> d0
distutils.file_util.copy_file distutils.dir_util.copy_tree -> o1
winreg.SetValue winreg.SetValueEx winreg.CreateKey winreg.DeleteKey crontab.CronTab -> past
pip.main pip._internal.main pip._internal.cli.main.main ensurepip.bootstrap -> past
py_compile.compile -> n1:cfile
compileall.compile_dir -> w9
zipapp.create_archive -> n1:target
http.cookiejar.LWPCookieJar http.cookiejar.MozillaCookieJar http.cookiejar.FileCookieJar -> =0:filename
http.cookiejar.LWPCookieJar.save http.cookiejar.MozillaCookieJar.save -> o@ n0:filename
asyncio.open_connection asyncio.create_connection multiprocessing.connection.Client logging.handlers.HTTPHandler logging.handlers.SocketHandler logging.handlers.DatagramHandler logging.handlers.SysLogHandler logging.handlers.SMTPHandler -> net0:host,address
pyperclip.copy clipboard.copy pandas.io.clipboard.copy pyperclip3.copy -> net
multiprocessing.managers.BaseManager multiprocessing.connection.Listener -> net
sqlite3.connect.backup -> w9
site.addsitedir sysconfig.get_paths -> w9
profile.run cProfile.run trace.Trace.run timeit.timeit timeit.repeat timeit.Timer doctest.testmod -> w9
`);

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Their functions compute, show, or read what they are given. */
export const PYTHON_HARMLESS: ReadonlySet<string> = new Set(
  words(`abc argparse array ast asyncio base64 bisect builtins calendar cmath collections colorsys concurrent
  contextlib contextvars copy csv ctypes_ dataclasses datetime decimal difflib dis doctest email enum errno faker filecmp fnmatch
  fractions functools gettext glob graphlib gzip hashlib heapq hmac html http inspect io itertools json keyword linecache
  locale logging lzma math mimetypes multiprocessing numbers operator pprint queue random re reprlib sched secrets select
  selectors shlex signal statistics string stringprep struct symtable sys sysconfig tempfile textwrap threading time timeit token
  tokenize tomllib traceback tracemalloc types typing typing_extensions unicodedata unittest urllib uuid warnings weakref xml zlib
  zoneinfo zipfile tarfile bz2 pathlib codecs platform getpass pickle numpy pandas polars scipy sklearn matplotlib seaborn plotly
  bokeh altair torch torchvision tensorflow keras jax transformers networkx sympy statsmodels xgboost lightgbm PIL cv2 skimage
  nltk spacy gensim bs4 lxml yaml toml tomli tabulate rich tqdm pydantic attr attrs pytest hypothesis dateutil pytz
  joblib dask numba pyarrow openpyxl xlsxwriter docx pptx PyPDF2 pypdf fitz reportlab jinja2 mako markdown pygments click typer
  colorama termcolor more_itertools toolz cytoolz sortedcontainers regex chardet ftfy unidecode Levenshtein rapidfuzz fuzzywuzzy
  sqlparse packaging semver humanize faulthandler IPython ipywidgets display tree counter sort uniq diff geopandas shapely
  pyproj folium xarray rasterio h5py astropy Bio rdkit torchaudio librosa soundfile wave colorlog loguru structlog parsy lark
  ply pyparsing tree_sitter libcst black isort jsonschema orjson ujson msgpack simplejson marshmallow cattrs msgspec duckdb
  vars_ tiktoken tokenizers datasets evaluate einops timm onnx cvxpy pulp ortools simpy mesa gym gymnasium stable_baselines3
  zipimport binascii cProfile pstats profile wordcloud missingno pycountry phonenumbers babel isodate pendulum arrow maya`),
);

/** Modules that can do harm, with their functions that cannot. */
export const PYTHON_POWERFUL: ReadonlyMap<string, RegExp> = new Map([
  [
    "os",
    /^(?:path(?:\.\w+)*|get\w+|cpu_count|process_cpu_count|sched_\w+|times|uname|urandom|umask|name|sep|linesep|fspath|fsencode|fsdecode|isatty|nice|wait\w*|pipe2?|read|readv|write|writev|close|closerange|dup2?|lseek|fsync|fdatasync|sync|fstat|ftruncate|fdopen|device_encoding|strerror|register_at_fork|kill|killpg|abort|_exit|fork|setpgid|setsid|environ\.\w+|environb\.\w+|unsetenv|get_terminal_size|terminal_size|memfd_create|set_blocking|getrandom|major|minor|WEXITSTATUS|WIFEXITED|PathLike|stat_result|error|add_dll_directory|supports_\w+|tcgetpgrp|ttyname|ctermid|sysconf|confstr|fchmod|fchown|walk|fwalk|scandir|listdir)$/,
  ],
  [
    "shutil",
    /^(?:which|disk_usage|get_terminal_size|ignore_patterns|get_archive_formats|get_unpack_formats|copyfileobj|Error|SameFileError)$/,
  ],
  [
    "subprocess",
    /^(?:list2cmdline|CalledProcessError|TimeoutExpired|CompletedProcess|SubprocessError|STARTUPINFO|\w+\.\w+)$/,
  ],
  [
    "ctypes",
    /^(?:c_\w+|sizeof|Structure|Union|byref|POINTER|addressof|alignment|create_string_buffer|create_unicode_buffer|Array|py_object)$/,
  ],
  [
    "importlib",
    /^(?:resources(?:\.\w+)*|metadata(?:\.\w+)*|util\.find_spec|invalidate_caches|reload)$/,
  ],
  ["posix", /^$/],
  ["nt", /^$/],
  ["pty", /^(?:openpty|fork)$/],
  ["runpy", /^$/],
  ["imp", /^$/],
]);

export const PYTHON_WEB: ReadonlySet<string> = new Set(
  words(`requests httpx aiohttp urllib3 socket ssl smtplib ftplib telnetlib poplib imaplib nntplib xmlrpc websockets websocket
  paramiko fabric boto3 botocore google azure openai anthropic slack_sdk telegram tweepy discord pymongo redis psycopg2 psycopg
  pymysql MySQLdb asyncpg cassandra elasticsearch kafka pika paho kubernetes docker github gitlab stripe twilio sendgrid dns
  pycurl wget scrapy selenium playwright mechanize grpc zmq huggingface_hub wandb mlflow kaggle gdown yt_dlp feedparser
  wikipedia praw yfinance snowflake socketserver asyncssh ldap3 mailchimp_marketing cloudflare digitalocean heroku3 firebase_admin
  requests_html requests_toolbelt treq urllib_request http_client pysftp scp ftputil pyshark scapy`),
);

/** What is lost through them is lost elsewhere. */
export const PYTHON_REMOTE: ReadonlySet<string> = new Set(
  words(`boto3 botocore google azure pymongo redis psycopg2 psycopg pymysql MySQLdb asyncpg cassandra elasticsearch kafka
  kubernetes docker github gitlab stripe snowflake cloudflare digitalocean firebase_admin heroku3 huggingface_hub requests httpx
  ldap3 motor neo4j influxdb_client pika twilio wandb imaplib poplib`),
);
