#!/usr/bin/env bash
# Help, version, and mistakes on the command line: what is said, where, and the exit code.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=$(sed -n 's/^ *VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

# --- help ------------------------------------------------------------------------------------------
call --version
is "version" "$out" "rigor $version"
is "version: exit code" "$code" 0

call --help
is "overview: exit code" "$code" 0
is "overview: stderr" "$err" ""
overview=$out
call
is "the bare command shows the overview" "$out" "$overview"
is "the bare command: exit code" "$code" 0
for command in run compare choose sweep rest check doctor solve motion stand view new reproduce list manual; do
  out=$overview
  has "overview names" "$out" "  $command "
  call "$command" --help
  is "$command --help: exit code" "$code" 0
  has "$command --help: usage" "$out" "usage: rigor $command "
  help=$out
  call help "$command"
  is "'help $command' is '$command --help'" "$out" "$help"
  long=$(awk 'length > 96' <<<"$help")
  is "$command --help keeps to 96 columns" "$long" ""
  examples=$(sed -n '/^Examples$/,$p' <<<"$help" | grep -c "^  rigor .*# ")
  holds "$command --help ends with examples" test "$examples" -ge 1
  # The page in docs/ names every option that the help names.
  while read -r flag; do
    holds "docs/command.md names $flag of rigor $command" grep -q -- "$flag" "$root/docs/command.md"
  done < <(grep -o -- '--[a-z][a-z-]*' <<<"$help" | sort -u)
done

call run --help
lacks "help for a pipe has no escape sequences" "$out" $'\033'
call run --step 0.1 --help
is "--help after other options" "$code" 0

# --- mistakes --------------------------------------------------------------------------------------
refused "unknown command" "rigor: unknown command 'rum'; did you mean 'run'?" rum
refused "far from any command" "rigor: unknown command 'simulate'; 'rigor --help' lists the commands" simulate
refused "unknown option" "rigor: unknown option '--hlp'; did you mean '--help'?" --hlp
refused "help for no command" "rigor: unknown command 'rnu'; did you mean 'run'?" help rnu
refused "no scene" "rigor run: SCENE is missing; usage: rigor run SCENE [OPTIONS]" run
refused "two scenes" "rigor run: 'b' is one too many; usage: rigor run SCENE [OPTIONS]" run a b
refused "mistyped option" "rigor run: unknown option --tiem; did you mean --time?" run a --tiem 1
refused "mistyped setting" "rigor run: unknown option --tolerence; did you mean --tolerance?" run a --tolerence 1
refused "same beginning" "rigor run: unknown option --iterations; did you mean --iteration-limit?" run a --iterations 3
refused "far from any option" "rigor run: unknown option --xyzzy; 'rigor run --help' lists the options" run a --xyzzy
refused "unknown letter" "rigor run: unknown option -z; 'rigor run --help' lists the options" run a -z
refused "settings are for run" "rigor check: unknown option --theta; 'rigor check --help' lists the options" check a --theta 1
refused "no value" "rigor run: --time needs a value: --time T" run a --time
refused "an option for a value" "rigor run: --output needs a value: --output FILE" run a --output --json
refused "empty value" "rigor run: --save is empty, must be FILE" run a --save=
refused "value of a flag" "rigor run: --json takes no value, but '3' is given" run a --json=3
refused "not a number" "rigor run: --time is 'long', must be a number >= 0" run a --time long
refused "more than a number" "rigor run: --step is '1ms', must be a number > 0 [s]" run a --step 1ms
refused "not finite" "rigor run: --step is 'inf', must be a number > 0 [s]" run a --step inf
refused "negative" "rigor run: --step is '-1', must be a number > 0 [s]" run a --step -1
refused "open end of a range" "rigor run: --step is '0', must be a number > 0 [s]" run a --step=0
refused "outside a range" "rigor run: --theta is '2', must be a number >= 0.5 and <= 1" run a --theta 2
refused "not whole" "rigor run: --facets is '3.5', must be a whole number >= 3 and <= 64" run a --facets 3.5
refused "count of zero" "rigor run: --every is '0', must be a whole number >= 1" run a --every 0
refused "two of three numbers" "rigor run: --gravity is '1,2', must be three numbers with commas between them [m/s2]" run a --gravity 1,2
refused "four of three numbers" "rigor run: --gravity is '1,2,3,4', must be three numbers with commas between them [m/s2]" run a --gravity 1,2,3,4
refused "unknown stabilizer" "rigor run: --stabilizer is 'pots', must be one of: none, baumgarte, post, post-once; did you mean 'post'?" run a --stabilizer pots
refused "unknown name" "rigor run: --cone is 'iner', must be one of: exact, inner, outer, frictionless; did you mean 'inner'?" run a --cone iner
refused "unknown preset" "rigor run: --preset is 'fast', must be one of: default, realtime, reference" run a --preset fast
refused "record without a file" "rigor run: --record is for a trajectory; name its file with --output" run a --record contacts
refused "record of what is not" "rigor run: --record has 'contact', must be some of: bodies, contacts, joints, forces, sensors, with commas between them" run a -o a.csv --record bodies,contact
refused "two rates" "rigor run: --every and --fps exclude each other; give one of them" run a --every 2 --fps 30
refused "mistyped table" "rigor list: unknown table 'solver'; did you mean 'solvers'?" list solver
refused "far from any table" "rigor list: unknown table 'x'; 'rigor list' names them" list x
refused "text for machines" "rigor list: 'scene' is a text for people; 'rigor list schema' is for machines" list scene --json

finish
