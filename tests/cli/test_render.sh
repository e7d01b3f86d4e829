#!/usr/bin/env bash
# `rigor render`: a picture and a video of the size and length asked for, with something to be seen on
# them; what is missing or wrong is said, and nothing half-written or temporary is left.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

write_ball ball.json
sed -i 's/"position": \[0, 0, 1\]/"position": [0, 0, 4]/' ball.json
mkdir tmp none
export TMPDIR=$work/tmp

refused "no file" "rigor render: name a file with -o: FILE.png, FILE.mp4 or FILE.webm" render ball.json
refused "another ending" "rigor render: --output is 'x.gif', must end in .png, .mp4 or .webm" render ball.json -o x.gif
refused "a size that is none" "rigor render: --size is '12', must be like 1280x720, from 16 to 8192" \
  render ball.json -o x.png --size 12
refused "an odd size" "rigor render: --size is '33x32'; a video needs even numbers" render ball.json -o x.mp4 --size 33x32
PATH=$work/none call render ball.json -o x.png
is "without Chromium: exit code" "$code" 3
has "without Chromium: what to install" "$err" "apt-get install chromium"
printf '#!/bin/sh\nexit 0\n' >none/chromium
chmod +x none/chromium
PATH=$work/none call render ball.json -o x.mp4
is "without ffmpeg: exit code" "$code" 3
has "without ffmpeg: what to install" "$err" "apt-get install ffmpeg"
printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >empty.html
printf '#!/bin/sh\necho "no display" >&2\nexit 1\n' >none/chromium
call render ball.json -o x.png --time 0 --page empty.html --browser none/chromium
is "Chromium that ends: exit code" "$code" 3
is "Chromium that ends: its last words" "$err" "rigor render: Chromium ended unexpectedly: no display"
call render ball.json -o x.png --time 0 --page missing.html --browser none/chromium
is "no page: exit code" "$code" 2
holds "nothing is written" test ! -e x.png
is "nothing is left" "$(ls tmp)" ""

page=$(dirname "$rigor")/page.html
if ! command -v chromium >/dev/null; then
  skip "there is no Chromium (scripts/setup render)"
elif [[ ! -e $page ]]; then
  skip "the page is not built (make page)"
else
  # colors FILE WIDTH HEIGHT [TIME]: how many a frame has, when its size is right.
  colors() {
    ffmpeg -v error -ss "${4:-0}" -i "$1" -frames:v 1 -f rawvideo -pix_fmt rgb24 - | python3 -c '
import sys
data, width, height = sys.stdin.buffer.read(), int(sys.argv[1]), int(sys.argv[2])
print(len({data[i:i + 3] for i in range(0, len(data), 3)}) if len(data) == 3 * width * height else "size")' "$2" "$3"
  }
  call render ball.json -o start.png --time 0 --size 96x64
  is "a picture: exit code" "$code$err" 0
  is "a picture: its size" "$(head -c 24 start.png | tail -c 8 | od -An -tu1 | tr -s ' ')" " 0 0 0 96 0 0 0 64"
  call run ball.json --time 1 -q -o run.csv
  if ! command -v ffmpeg >/dev/null; then
    skip "there is no ffmpeg (scripts/setup render)"
  else
    holds "a picture: there is something on it" test "$(colors start.png 96 64)" -gt 20
    call render run.csv -o run.mp4 --fps 5 --size 96x64
    is "a video: exit code" "$code$err" 0
    is "a video: pictures" "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 run.mp4)" 6
    holds "a video: there is something on it" test "$(colors run.mp4 96 64 0.9)" -gt 20
    # The ball has fallen: the first and the last picture differ.
    ffmpeg -v error -i run.mp4 -f framemd5 - | grep -v '^#' | awk -F, '{print $NF}' | sort -u >frames
    holds "a video: it moves" test "$(wc -l <frames)" -ge 4

    # Ctrl-C: neither a video nor anything else is left.
    env --default-signal=INT "$rigor" render run.csv -o long.webm --fps 1000 --size 96x64 2>long.err &
    process=$!
    for ((i = 0; i < 600; i++)); do
      compgen -G 'tmp/rigor-*/ffmpeg.log' >/dev/null && break
      sleep 0.05
    done
    kill -s INT "$process"
    wait "$process"
    is "interrupted: exit code" "$?" 130
    is "interrupted: said nothing" "$(<long.err)" ""
    is "interrupted: nothing is left" "$(compgen -G 'long.webm*')" ""
  fi
  is "nothing temporary is left" "$(ls tmp)" ""
fi

finish
