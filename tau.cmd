@echo off
rem The front door of a source checkout on Windows; see ./tau for the reasons.
setlocal
set "ROOT=%~dp0"
rem A directory name must not end in a backslash before a quotation mark.
set "HOMEDIR=%ROOT:~0,-1%"
set "TAU_START_DIRECTORY=%CD%"
rem Programs are looked for in the working directory first, unless this says otherwise.
set "NoDefaultCurrentDirectoryInExePath=1"
cd /d "%ROOT%"
where node >nul 2>nul
if errorlevel 1 if not exist "%ROOT%node_modules\.tau\runtime" (
  echo tau: the first start installs what is missing and needs Node.js 20 or newer with npm; install it and run this again. 1>&2
  exit /b 1
)
if not errorlevel 1 (
  node "%ROOT%scripts\install.mjs" runtime || exit /b 1
)
set "NoDefaultCurrentDirectoryInExePath="
"%ROOT%node_modules\.tau\bun.exe" --cwd="%HOMEDIR%" --config="%ROOT%bunfig.toml" --no-env-file --tsconfig-override="%ROOT%tsconfig.json" "%ROOT%scripts\launch.mjs" %*
exit /b %ERRORLEVEL%
