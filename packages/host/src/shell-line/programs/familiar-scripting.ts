// Familiar programs of Python, Ruby, PHP, Perl, Lua, R, Julia and other scripting languages.

import type { FamiliarGroup } from "./familiar-row.ts";
import { PUBLISHES } from "./tool-row.ts";

const PYTHON_CHECKERS = `
  flake8 pylint pyflakes pycodestyle pydocstyle mypy dmypy pyright basedpyright pyre pytype ty bandit vulture
  radon xenon mccabe wily prospector pylama pyroma check-manifest check-wheel-contents deptry pip-audit safety pipdeptree liccheck
  pip-licenses interrogate darglint pydoclint codespell proselint pysen djlint-check curlylint doc8 rstcheck restructuredtext-lint
  yamllint detect-secrets import-linter lint-imports tryceratops refurb semgrep dodgy pyanalyze typos slotscheck fixit pipreqs-check
  validate-pyproject abi3audit auditwheel-show numpydoc sqlfluff cfn-lint checkov ansible-lint molecule-lint
  twine-check pydoc pydoc3 py-spy memray scalene pyinstrument snakeviz viztracer gprof2dot line_profiler kernprof
  pygmentize rich-cli vd visidata csvlook csvstat csvgrep csvcut in2csv csvsql csvjson httpstat codecov-check`;

const PYTHON_BUILDERS = `
  tox nox unittest nose nosetests green ward pabot hypothesis mutmut cosmic-ray
  slipcover autoflake autopep8-wrapper yapf docformatter pyupgrade pyink blue ssort unify reorder-python-imports add-trailing-comma
  usort ufmt absolufy-imports flynt fixit-fix djlint djhtml blacken-docs nbqa nbstripout jupytext papermill nbconvert nbdime nbdev nbdev_export
  pip-compile pip-sync pip-tools pipreqs virtualenv venv pyenv pyenv-virtualenv virtualenvwrapper mkvirtualenv workon
  mamba micromamba conda-build conda-lock build pyproject-build python-build cibuildwheel delocate-wheel auditwheel repairwheel maturin
  setuptools-rust meson-python scikit-build cython cythonize f2py numba pythran nuitka nuitka3 pyinstaller pyoxidizer cx_Freeze cxfreeze briefcase shiv pex zipapp pyarmor py2app
  cookiecutter cruft copier invoke inv doit paver waf scons nikola pelican great_expectations marimo sphinx-build sphinx-quickstart
  sphinx-apidoc sphinx-autobuild sphinx-intl pdoc pdoc3 pydeps pyreverse lazydocs portray zensical
  flask manage.py django-admin fastapi gunicorn uvicorn hypercorn daphne waitress-serve uwsgi granian celery rq rqworker huey_consumer dramatiq arq flower
  alembic aerich piccolo yoyo dbt dagster airflow luigi kedro metaflow mlflow tensorboard streamlit gradio panel bokeh voila
  dash jupyter jupyter-lab jupyter-notebook jupyter-nbconvert ipython ipython3 ptpython bpython
  bumpversion bump2version bump-my-version bumpver semantic-release-check towncrier reno scriv commitizen cz pre-commit prek gitlint reuse licenseheaders addlicense
  scrapy spacy accelerate torchrun deepspeed lightning optuna horovodrun llamafactory-cli
  datamodel-codegen grpc_tools.protoc stubgen monkeytype pyannotate pyi-makespec msgfmt pygettext pybabel django-extensions
  manim pip-review pipupgrade pipdate asv pyperf pyperformance hatchling flit_core pdm-backend
  pytest-watch ptw pytest-3 trial twist zope-testrunner py3clean pyclean pycobertura diff-cover diff-quality coverage-badge genbadge`;

const RUBY = `
  rake rspec minitest cucumber rubocop standardrb reek flay flog fasterer brakeman bundler-audit bundle-audit ruby-lint sorbet srb steep rbs typeprof
  solargraph ruby-lsp yard rdoc ri irb pry rails spring puma unicorn thin passenger rackup foreman overmind hivemind guard guard-rspec
  jekyll middleman nanoc bridgetown hanami sinatra sidekiq resque good_job solid_queue delayed_job appraisal
  rbenv rvm chruby ruby-build ruby-install haml haml-lint slim erb erblint i18n-tasks annotate annotaterb rails_best_practices
  rubycritic simplecov mutant fastlane xcpretty xcbeautify slather danger asciidoctor asciidoctor-pdf kramdown redcarpet t-ruby
  rufo prettier-ruby thor tapioca parallel_rspec parallel_test turbo_tests knapsack packwerk zeitwerk htmlbeautifier bootsnap`;

const PHP = `
  phpunit pest paratest phpspec behat codecept codeception infection phpstan psalm phan phpcs phpcbf php-cs-fixer phpmd pdepend
  phpcpd phploc php-parallel-lint parallel-lint rector ecs pint tlint deptrac composer-unused composer-require-checker composer-normalize
  artisan sail console symfony laravel drush drupal wp-env phpdoc phpdocumentor phing robo box phive php-config phpize
  phinx doctrine doctrine-migrations phpdbg phpbench grumphp captainhook twigcs twig-lint php-fpm`;

const OTHERS = `
  prove perlcritic perltidy perldoc dzil minil milla plackup hypnotoad morbo mojo perlbrew xsubpp podchecker pod2html pod2man
  luacheck busted stylua selene luac love moonc moonscript teal tl lua-language-server lua-format
  R-check rmarkdown knit lintr styler Rcmd julia-format octave-cli octave gnuplot maxima sage gap
  wish nim nimble testament nimpretty v vpm crystal shards ameba haxe neko hl io-lang
  mix iex elixirc rebar3 erlc dialyzer escript gleam lfe ct_run eunit credo
  ghc cabal stack runhaskell hlint ormolu fourmolu stylish-haskell brittany hpack ghcid haskell-language-server haddock happy alex-hs doctest-hs weeder
  ocamlc ocamlopt ocamlfind dune ocamlformat ocamllex ocamlyacc menhir merlin odoc
  lein boot clj-kondo cljfmt cljstyle shadow-cljs kibit eastwood
  sml mlton polyc smlnj fsharpc coqc coqtop coq_makefile lean lake agda idris idris2 isabelle
  dart flutter pub dartanalyzer dartfmt dart2js fvm melos very_good
  gforth chez chezscheme raco chicken csc-scheme gsc gsi gauche gprolog
  fsharpi dmd ldc2 gdc dub rdmd dfmt dscanner
  pharo squeak gst smalltalk apl dyalog`;

export const FAMILIAR_SCRIPTING: readonly FamiliarGroup[] = [
  [PYTHON_CHECKERS, { reads: true }],
  ["pytest py.test nose2 behave robot coverage", { reads: true }],
  [PYTHON_BUILDERS, {}],
  ["mkdocs mike", { critical: [[/(?:^| )(?:gh-deploy|delete|--push|-p)(?: |$)/, PUBLISHES]] }],
  [RUBY, {}],
  [PHP, {}],
  [OTHERS, {}],
];
