// The part of the watchdog that works while Tau cannot: a shell that hears a beat of Tau's event loop every
// second, tells who is running when there is none, and ends Tau if its user says so. It costs a quarter of a
// megabyte and sleeps between beats (a thread of the runtime would cost eight).
//
// Its arguments: Tau's pid, `screen` or `lines`, what gives the terminal back, the seconds without a beat that
// count as blocked, and whose code it may be if nobody is known to run. Its standard input has the beats,
// descriptor 3 the name of whoever runs; on its standard output it says when Tau has come back.

export const WATCHDOG_SCRIPT = String.raw`
tau=$1 front=$2 restore=$3 limit=$4 anybody=$5
trap '' INT
say() {
  if [ "$front" = screen ]; then { printf '\r\n\033[0m\033[J\033[?7h%s\033[?7l' "$1" > /dev/tty; } 2> /dev/null
  else printf 'tau: %s\n' "$1" >&2; fi
}
finish() {
  if [ "$front" = screen ]; then { printf '%b' "$restore" > /dev/tty; stty sane < /dev/tty; } 2> /dev/null; fi
  say "Tau was ended, because $who did not let go."
  say "The session is kept; 'tau -c' continues it."
  [ "$front" != screen ] || printf '\n' > /dev/tty
  kill -KILL "$tau"
  exit 0
}
is_stopped() {
  read -r stat < "/proc/$tau/stat" || return
  stat=@{stat##*) }
  case $stat in [Tt]*) return 0 ;; *) return 1 ;; esac
} 2> /dev/null
blocked() {
  since=$SECONDS pressed=0 keys=
  IFS= read -r who < /dev/fd/3
  [ -n "$who" ] || who=$anybody
  if [ "$front" = screen ]; then how='Press Ctrl+C twice to end Tau'; else how="Ctrl+C ends Tau, or: kill -9 $tau"; fi
  # The shell lets a terminal send a signal while it waits for a key.
  trap 'keys=$keys"^C"' INT
  say "Tau has been blocked for $limit seconds by $who."
  say "$how; the session is kept."
  while ! read -t 0; do
    if [ "$front" = screen ] && { IFS= read -rsn1 -d '' -t 1 key < /dev/tty; } 2> /dev/null; then
      keys=$keys$key
    elif IFS= read -r -t 1 _; then break
    fi
    case $keys in
      *'^C'*|*$'\003'*|*'[99'*';5'*u*|*'[27;5;99~'*)
        keys= pressed=$((pressed + 1))
        [ "$front" = screen ] && [ "$pressed" -lt 2 ] || finish
        say 'Press Ctrl+C once more to end Tau.' ;;
    esac
  done
  trap '' INT
  printf '%s %s\n' "$((SECONDS - since + limit))" "$who"
  # Whoever draws has to draw all of it again.
  [ "$front" != screen ] || kill -CONT "$tau"
}
while :; do
  IFS= read -r -t "$limit" _ && continue
  [ $? -gt 128 ] || exit 0
  is_stopped && continue
  # Tau may just have been woken.
  IFS= read -r -t 1 _ && continue
  [ $? -gt 128 ] || exit 0
  blocked
done
`.replaceAll("@{", "${");
