// Familiar programs of compiled languages and their build systems: C, C++, Rust, Go, Zig, Swift, the
// JVM, .NET, Fortran, hardware; and tools that look into what was built.

import type { FamiliarGroup } from "./familiar-row.ts";

/** They look into sources, objects and running programs. */
const INSPECTORS = `
  ldd lddtree otool dwarfdump llvm-dwarfdump llvm-nm llvm-objdump llvm-readelf llvm-readobj llvm-size llvm-symbolizer llvm-cov
  llvm-config llvm-strings llvm-cxxfilt c++filt undname dumpbin eu-readelf eu-nm eu-stack pahole checksec
  pkg-config pkgconf pkg-configs cppcheck cpplint clang-tidy clang-query clang-tidy-diff run-clang-tidy iwyu include-what-you-use oclint splint flawfinder
  infer cbmc sparse smatch coccicheck vera++ lizard cscope global gtags-cscope ctags-universal
  gcov lcov-summary gprof nvprof cuobjdump nvdisasm nvidia-smi rocminfo rocm-smi clinfo glxinfo vulkaninfo vainfo
  clangd ccls rust-analyzer gopls zls jdtls metals kotlin-language-server omnisharp
  golangci-lint golint staticcheck gosec errcheck revive govulncheck gocyclo gocognit ineffassign misspell deadcode unparam unconvert dupl goconst nilaway go-consistent benchstat pprof gotip-version
  cargo-geiger swiftlint ktlint detekt checkstyle pmd spotbugs findbugs errorprone scalastyle
  jmap jhat jhsdb jdeprscan java_home jps jstack jstat jinfo jcmd javap jdeps jconsole jvisualvm async-profiler
  zlint verible-verilog-lint svlint vsg hdl_checker`;

/** They build, generate, test or format in the directory. */
const BUILDERS = `
  cc1 cpp gfortran f77 f95 flang ifort ifx icc icpc icx icpx nvcc hipcc clang-cl cl link lld ld.lld ld.gold gold mold lib windres rc dlltool tcc pcc zig zigup
  nasm yasm fasm as86 gas llc lli opt llvm-as llvm-dis llvm-link llvm-ar llvm-ranlib llvm-profdata llvm-strip llvm-objcopy llvm-mc clang-offload-bundler
  emcc em++ emar emcmake emmake emconfigure emrun wasm-ld wasm-pack wasm-bindgen wasm-strip wasmtime wasmer wasm3 wasm-tools
  ninja samu meson muon ctest cpack ccmake cmake-gui cmake-format cmake-lint gersemi gmake bmake nmake mingw32-make remake makefile2graph mk mage task go-task xmake premake premake5 premake4 waf tup redo b2 bjam gn gyp node-gyp node-pre-gyp prebuild prebuildify
  autoconf autoreconf automake aclocal autoheader autoscan autoupdate libtool libtoolize glibtool ltmain config.status intltoolize autopoint qmake qmake6 moc uic rcc lupdate lrelease qbs windeployqt macdeployqt linuxdeploy appimagetool
  bazel bazelisk blaze buck buck2 pants please plz ibazel buildifier buildozer gazelle
  flex lex bison yacc byacc re2c ragel lemon gperf antlr antlr4 peg leg swig cbindgen bindgen uniffi-bindgen sip protoc-gen-go protoc-gen-ts grpc_cpp_plugin buf thrift flatc capnp capnpc avro-tools fbthrift wire
  ccache sccache distcc icecc bear compiledb include-fixer clang-apply-replacements clang-rename clang-refactor astyle uncrustify indent cmakelang
  gdb cgdb gdbserver lldb lldb-mi rr rust-gdb rust-lldb udb dlv delve ddd kgdb arm-none-eabi-gdb
  lcov genhtml gcovr kcov llvm-cov-gcov grcov tarpaulin cargo-tarpaulin
  doxygen cldoc hdoc breathe-apidoc graphviz
  cargo-watch cargo-nextest cargo-expand cargo-edit cargo-make cargo-audit cargo-deny cargo-outdated cargo-udeps cargo-machete cargo-hack cargo-fuzz cargo-criterion cargo-bloat cargo-llvm-cov cargo-insta cargo-binutils cargo-generate cargo-leptos cargo-tauri cargo-ndk cargo-zigbuild cargo-about cargo-cyclonedx cargo-sort cargo-modules cargo-asm cargo-show-asm cargo-flamegraph flamegraph cargo-clippy cargo-fmt rustdoc rust-script clippy-driver miri trunk dioxus dx cross cross-rs bacon insta cargo-semver-checks cargo-mutants cargo-pgo probe-rs evcxr
  gotestsum gotest gow air realize reflex-go mockgen mockery moq counterfeiter stringer wire-go sqlc ent easyjson gqlgen oapi-codegen swag goctl templ go-bindata statik packr gofumpt gci golines goimports-reviser govendor dep glide gomodifytags impl gotests richgo tinygo yaegi gomobile fyne wails
  swift swiftc swift-format swiftformat swiftgen sourcery xcodebuild xcodegen tuist carthage xctool ibtool actool agvtool genstrings plutil-lint
  javah jlink jpackage jar jmod javadoc ant ivy mvnw gradlew sbt sbtx sbtn mill bloop scala-cli amm ammonite scalafmt scalafix coursier-fetch cs-fetch kotlin kotlinc-jvm kotlinc-js ktfmt google-java-format palantir-java-format groovyc jbang jmh junit-console spotless lombok proguard d8 r8 aapt aapt2 apksigner zipalign bundletool aidl spring spring-boot quarkus mn micronaut jhipster grails vertx
  msbuild xbuild csc vbc fsc mono mcs mdoc paket-restore fake fantomas csharpier reportgenerator coverlet roslynator dotnet-format dotnet-ef-script dotnet-coverage dotnet-trace-convert
  verilator iverilog vvp yosys nextpnr-ice40 nextpnr-ecp5 icepack ghdl nvc cocotb-config quartus_sh xrun sv2v bluespec bsc fusesoc edalize sby
  platformio pio arduino-cli west idf.py esptool-image avr-gcc avr-objcopy arm-none-eabi-gcc arm-none-eabi-g++ arm-none-eabi-objcopy arm-none-eabi-size riscv64-unknown-elf-gcc xtensa-esp32-elf-gcc sdcc
  gnatmake gprbuild gnat alr cobc fpc lazbuild ppcx64 modula-2 odin jai c3c hare vala valac genie pony ponyc red rebol carp ante chapel chpl mpicc mpicxx mpif90 mpirun mpiexec
  forge hardhat truffle solc solc-select slither mythril echidna anchor cairo scarb starknet-compile
  apio nvcc-wrapper vcpkg`;

/** Their options begin with a slash. */
const SLASHED: FamiliarGroup = ["msbuild xbuild cl link csc vbc lib", { isElsewhere: true }];

const JVM_WITH_OPTIONS: FamiliarGroup = ["mvnw gradlew", { network: true }];

export const FAMILIAR_NATIVE: readonly FamiliarGroup[] = [
  [INSPECTORS, { reads: true }],
  [BUILDERS, {}],
  JVM_WITH_OPTIONS,
  SLASHED,
];
