// Familiar programs around the work: looking at the machine, texts and data; documents, pictures and
// sounds; editors' helpers; version control besides git; containers and clusters that are looked at.

import type { FamiliarGroup } from "./familiar-row.ts";

/** They look at the machine or at what they are given. */
const INSPECTION = `
  last lastlog lastb w hostid arch dnsdomainname domainname ipcs lsmod modinfo lshw hwinfo inxi dmidecode
  acpi sensors numastat mpstat pidstat sar dstat nmon htop btop btm atop glances iotop iftop nethogs bmon slabtop powertop
  pmap pwdx pstack procs smem lsns lslocks lsipc lsmem lsirq lslogins findmnt blkid mountpoint lsscsi biosdecode
  wslpath wslinfo callgrind_annotate cg_annotate ms_print xcode-select lipo otool dwarfdump nm-classic
  vcgencmd system_profiler sw_vers vm_stat ioreg kextstat mdfind mdls sample spindump fs_usage leaks vmmap heap
  neofetch fastfetch screenfetch tzselect zdump locate mlocate plocate namei
  nettop arp ipcalc sipcalc iwconfig iwlist iw 
  nvtop intel_gpu_top radeontop xrandr xdpyinfo xwininfo xprop xlsclients glxgears
  getcap getfattr lsacl ausearch aureport lastcomm ac
   systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-path
  atos jfr ncdu gdu xed jcmd-list explorer
  hexdump bvi dhex rabin2 ent ssdeep sdhash`;

/** Text and data in, text and data out. */
const TEXT = `
  bc dc units col colrm colcrt ul ptx aspell hunspell ispell enchant-2 dict wn nroff troff groff tbl eqn pic refer soelim preconv
  zipinfo zipgrep zcmp zdiff zegrep zfgrep zmore zstdgrep zstdless lzcat lz4cat lzgrep bzless bzmore xzless xzmore xzdiff bzcmp bzdiff lsar funzip
  shasum sha3sum xxhsum xxh64sum xxh128sum b3sum md5 sha1 sha256 rhash cfv crc32 gsha256sum gmd5sum base58 basenc bech32
  lsd dust duf dua erd grex choose gping dog doggo viddy jc yj jo fq jello jtbl xan jless jaq gojq htmlq pup xq xidel xml2 hxselect hxnormalize hxextract html2text html2markdown
  csvtool xsv qsv csvq q textql tsv-filter tsv-summarize datamash pspg tabview csvkit
  delta diff-so-fancy difft difftastic colordiff icdiff wdiff dwdiff interdiff filterdiff lsdiff combinediff splitdiff diffstat cdiff ydiff riff
  ack ack-grep pt sift ugrep ug peco fzf sk skim fzy percol gum hck
  glow mdcat mdless frogmouth rich most lv ccat highlight source-highlight chroma lolcat figlet toilet banner boxes cowthink fortune pv progress
  uchardet chardet chardetect enca mimetype unicode uni charinfo natsort msort
  shellcheck bashate checkbashisms actionlint zizmor hadolint dive yamale kubeval kubeconform kube-linter kube-score polaris conftest regal tflint tfsec terrascan trivy grype syft gitleaks trufflehog detect-secrets-hook vale lychee taplo-lint editorconfig-checker ec eclint ls-lint
  osv-scanner
  onefetch git-quick-stats git-sizer github-linguist linguist sloccount ohcount
  exif identify pngcheck jpeginfo mp3info soxi ffplay fc-list fc-match otfinfo pdffonts pdfgrep djvutxt
  gvpr ccomps nop
  info tldr cheat navi howdoi manpath`;

/** They make documents, pictures, sounds and packages in the directory. */
const MAKERS = `
  tex latex pdftex pdflatex xetex xelatex luatex lualatex latexmk tectonic bibtex biber makeindex makeglossaries arara texfot chktex lacheck latexindent texcount dvips dvipdfm dvipdfmx kpsewhich context
  asciidoc a2x typst mdbook zola hugo hexo-cli gitbook honkit antora sphinx-multiversion quarto rst2html rst2pdf markdown multimarkdown cmark cmark-gfm discount lowdown mdformat mdsh embedmd adr adr-tools log4brains structurizr plantuml mermaid d2 ditaa seqdiag blockdiag nwdiag neato fdp sfdp twopi circo gnuplot asy asymptote povray blender openscad freecadcmd
  pdfcrop pdfunite pdfseparate pdfjam pdf2svg pdftoppm pdftocairo pdfimages pdfattach ps2pdf pdf2ps ps2eps eps2eps epstopdf a4 enscript a2ps img2pdf ocrmypdf tesseract weasyprint prince mutool
  sd sad fastmod ruplacer ambr ouch xmlstarlet dasel exiv2 broot teip
  optipng pngquant pngcrush zopflipng oxipng jpegoptim jpegtran cjpeg djpeg guetzli mozjpeg gifsicle gifski apng2gif avifenc avifdec heif-convert dwebp img2webp svgcleaner scour potrace autotrace montage composite compare animate vips vipsthumbnail gm jp2a chafa viu timg catimg icotool png2icns iconutil sips qrencode zbarimg barcode
  flac metaflac oggenc oggdec opusenc opusdec faac faad mpg123 mpg321 aplay espeak say timidity fluidsynth lilypond abcm2ps csound sonic-pi normalize-audio mp3gain ffmpeg-normalize handbrakecli mkvmerge mkvextract mp4box x264 x265 av1an melt agg vhs terminalizer svg-term ttyrec script2gif
  dpkg-source dpkg-buildpackage debuild lintian fpm nfpm rpmbuild rpmlint makepkg namcap abuild flatpak-builder snapcraft appimage-builder goreleaser ko jib pack makeself checkinstall
  gettext xgettext msgmerge msginit msgcat msgfmt msgattrib msgunfmt itstool po4a poedit-cli
  dsymutil opa
  etags gtags mkid exctags readtags
  tree-sitter-cli grammarinator afl-fuzz honggfuzz radamsa zzuf
  sqlite-utils sqldiff sqlite3_analyzer datasette duckdb octosql trdsql dsq sqlfmt pgformatter pg_format sql-formatter sqlparse sqruff squawk pgsanity schemaspy tbls 
  bats shunit2 shellspec roundup bashunit bash_unit zunit beautysh cram clitest expect-lite
  dprint treefmt alejandra nixfmt nixpkgs-fmt statix deadnix nil nixd taplo typstyle yamlfmt yamlfix jsonnet jsonnetfmt jsonnet-lint cue dhall dhall-to-json dhall-to-yaml kcl pkl nickel ytt kbld envsubst gomplate j2 jinja2 jinja mustache-cli sempl esh m4 gpp filepp
  taskfile run-one-constantly watchexec reflex modd fswatch inotifywait inotifywatch when-changed onchange chokidar chokidar-cli
  reset resize tset tic infocmp toe captoinfo
  cal ncal gcal remind calcurse timew todo.sh hledger ledger beancount`;

/** Other version control, and helpers of git. */
const VERSIONS = `
  hg jj gitk tig lazygit gitui git-cliff git-absorb git-branchless git-revise git-lfs git-secrets git-town git-flow git-machete git-spice stg stgit topgit quilt b4 patchwork pwclient
  darcs fossil bzr brz cvs pijul sl gitmoji cz-cli cocogitto cog convco svu gitversion GitVersion git-chglog git-changelog`;

/** They measure or look at servers. */
const MEASURING = `
  ab wrk wrk2 hey bombardier vegeta k6 siege oha locust jmeter gatling tsung h2load nghttp autocannon-cli plow ddosify
  httping tcping fping arping speedtest speedtest-cli iperf iperf3 qperf nuttcp testssl testssl.sh sslscan sslyze
  stern kubetail kail k9s kubectx kubens kubecolor popeye kube-capacity kubent pluto kubescape
  ctop lazydocker dry-docker container-structure-test dgoss goss
  grpc_cli evans ghz protoc-lint hurl httpyac newman bruno bru inso certigo cfssl-certinfo
  redis-benchmark memtier_benchmark sysbench mysqlslap pg_isready mysqladmin-ping mongostat mongotop pgbadger pt-query-digest
  promtool logcli tempo-cli
  lnav goaccess multitail angle-grinder agrind humanlog pino-pretty bunyan logdy jl tailspin tspin`;

export const FAMILIAR_SYSTEM: readonly FamiliarGroup[] = [
  [INSPECTION, { reads: true }],
  [
    "dmesg journalctl coredumpctl",
    {
      reads: true,
      critical: [
        [
          /(?:^| )(?:-[a-zA-Z]*[cC]\b|--(?:clear|read-clear|vacuum-\w+|rotate|flush|relinquish-var|setup-keys|update-catalog)\b)/,
          "deletes logs of the machine",
        ],
      ],
    },
  ],
  [
    "pbpaste wl-paste notify-send terminal-notifier growlnotify zenity dialog whiptail",
    { reads: true },
  ],
  // Every program of the session can read it there, and pages can.
  ["pbcopy xclip xsel wl-copy clip clip.exe osc52", { reads: true, sends: true }],
  ["hub", { reads: true, network: true }],
  [TEXT, { reads: true }],
  [MAKERS, {}],
  [VERSIONS, {}],
  // An address in its arguments is asked for whatever stands in it.
  [
    "svn",
    {
      network: true,
      sends: true,
      critical: [
        [
          /^(?:delete|del|remove|rm|mv|move|ren|rename|import)\b.*\b\w+:\/\//,
          "deletes on another machine",
        ],
      ],
    },
  ],
  [MEASURING, { reads: true, network: true }],
];
