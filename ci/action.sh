#!/usr/bin/env bash
# What the steps of action.yml do: `action.sh plan`, `action.sh install`, `action.sh run`.
#
# Inputs and what the event says come by environment, and a word stays a word: nothing is put together to be parsed
# again. The checkout may be a stranger's, so nothing but prov itself runs in it, and nothing is written there. An error
# names what is wrong and not its value, which could be a workflow command. bash 3.2, which macOS has, is enough.
set -euo pipefail
unset CDPATH
# What the job set for a Python and a pip of its own is not for this one: it may lead into the checkout.
# shellcheck disable=SC2086 # they are names, and may be none
unset ${!PYTHON@} PIP_CONSTRAINT PIP_REQUIREMENT PIP_TARGET PIP_PREFIX PIP_USER

die() {
  printf '::error title=prov::%s\n' "$1"
  exit 2
}

one_of() { # NAME VALUE CHOICE...
  local name=$1 value=$2 choice
  shift 2
  for choice; do
    [ "$value" != "$choice" ] || return 0
  done
  die "the input $name has to be one of: $*"
}

# The lines of a text that are not blank, each as it is, into the array `taken`.
take_lines() {
  local line
  taken=()
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "${line//[[:space:]]/}" ] || taken+=("$line")
  done <<<"$1"
}

# Where this use of the action keeps its files, outside the checkout; the same in every run of the workflow.
home_of() {
  printf '%s/prov/%s' "$RUNNER_TEMP" "$IN_COMMAND-$(printf '%s' "$IN_DIRECTORY" | cksum | cut -d ' ' -f 1)"
}

# Whether the checkout is the repository's own. What is not known to be is a stranger's: the list is of events that only
# people with write access bring about, and of those that say whose branch they are for. The repository of a branch is
# empty where a fork has been deleted. A deployment is not among them: services make one of each commit of a fork, too.
is_own() {
  [ "$IN_STRANGER" = auto ] || return 1
  case $EVENT in
    push | schedule | workflow_dispatch | repository_dispatch | merge_group | release | create) ;;
    pull_request | pull_request_target | pull_request_review | pull_request_review_comment)
      [ -n "$HEAD_REPOSITORY" ] && [ "$HEAD_REPOSITORY" = "$REPOSITORY" ]
      ;;
    workflow_run) [ -n "$RUN_REPOSITORY" ] && [ "$RUN_REPOSITORY" = "$REPOSITORY" ] ;;
    *) return 1 ;;
  esac
}

check_inputs() {
  [ "$RUNNER_OS" != Windows ] || die 'prov needs a POSIX system: run it on Linux or macOS'
  one_of command "$IN_COMMAND" verify scan drift
  one_of stranger "$IN_STRANGER" auto yes
  one_of unavailable "$IN_UNAVAILABLE" fail pass
  one_of strict "$IN_STRICT" true false
  one_of annotations "$IN_ANNOTATIONS" true false
  one_of summary "$IN_SUMMARY" true false
  one_of cache "$IN_CACHE" true false
  case $IN_EXTRAS in *[!a-z,]*) die 'the input extras takes names with commas between them, such as: rust,go' ;; esac
}

plan() {
  local party=stranger keep=no state=$RUN_ID
  check_inputs
  ! is_own || party=own
  # A cache that a stranger's job has written could be read by a job of the repository, and the other way round.
  [ "$party" = stranger ] || [ "$IN_CACHE" = false ] || keep=yes
  # What a lock pins is the same in every run. Documents have none, and history goes on.
  [ "$IN_COMMAND" != verify ] || state=${LOCKS:-$RUN_ID}
  {
    printf 'whose=%s\nkeep=%s\n' "$party" "$keep"
    printf 'folder=%s/kept\nstate=%s\n' "$(home_of)" "$state"
  } >>"$GITHUB_OUTPUT"
}

install() {
  local program=$RUNNER_TEMP/prov/program what=$GITHUB_ACTION_PATH${IN_EXTRAS:+[$IN_EXTRAS]}
  local made="$what with $USED_PYTHON"
  cd "$RUNNER_TEMP" # python -m looks for modules in the current folder first, and the checkout may have a pip.py
  if [ "$(cat "$program/installed" 2>/dev/null)" != "$made" ]; then
    "$USED_PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die 'prov needs Python 3.11 or newer'
    "$USED_PYTHON" -m venv --clear "$program"
    "$program/bin/python" -m pip install --quiet --disable-pip-version-check "$what"
    printf '%s' "$made" >"$program/installed"
  fi
  printf 'version=%s\n' "$("$program/bin/prov" --version | tr -cd '0-9.')" >>"$GITHUB_OUTPUT"
}

# The options of a run, into the array `options`; for a stranger's checkout what docs/ci.md says of such jobs. They stand
# behind those of the workflow, and the last one counts.
choose_options() {
  local home=$1 folder=$1/kept
  options=(--output "$home/reports/prov.json" --output "$home/reports/prov.sarif")
  [ "$IN_SUMMARY" = false ] || options+=(--output "markdown:$home/reports/summary.md")
  [ "$IN_ANNOTATIONS" = false ] || options+=(--format github)
  [ "$IN_STRICT" = false ] || options+=(--strict)
  if [ "$WHOSE" != own ]; then
    folder=$home/apart
    options+=(--no-credentials --assurance commit)
    [ "$IN_COMMAND" = scan ] || options+=(--lock "$folder/no.lock")
  fi
  options+=(--db "$folder/evidence.db")
  export XDG_CACHE_HOME=$folder
  mkdir -p "$folder"
}

# Into the project's folder, which has to lie in the checkout also after symbolic links.
enter() {
  local checkout
  checkout=$(pwd -P)
  cd -P -- "$IN_DIRECTORY" || die 'the working-directory is not there'
  case $PWD/ in "$checkout"/*) ;; *) die 'the working-directory leads out of the checkout' ;; esac
}

run() {
  local home code=0 given paths
  home=$(home_of)
  take_lines "$IN_ARGS"
  given=(${taken[@]+"${taken[@]}"})
  take_lines "$IN_PATHS"
  paths=(${taken[@]+"${taken[@]}"})
  rm -rf "$home/reports"
  mkdir -p "$home/reports"
  choose_options "$home"
  enter
  "$RUNNER_TEMP/prov/program/bin/prov" "$IN_COMMAND" ${given[@]+"${given[@]}"} "${options[@]}" \
    -- ${paths[@]+"${paths[@]}"} || code=$?
  [ -f "$home/reports/prov.json" ] || echo '::error title=prov::nothing was judged; the log of this step says why'
  [ ! -f "$home/reports/summary.md" ] || cat "$home/reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
  printf 'exit-code=%s\nreports=%s\nsarif=%s\n' "$code" "$home/reports" "$home/reports/prov.sarif" >>"$GITHUB_OUTPUT"
  if [ "$code" = 3 ] && [ "$IN_UNAVAILABLE" = pass ]; then
    echo '::warning title=prov::something was unavailable, which says nothing about the evidence; this job passes'
    code=0
  fi
  return "$code"
}

case ${1-} in
  plan | install | run) "$1" ;;
  *) die 'usage: action.sh plan|install|run' ;;
esac
