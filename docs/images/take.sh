#!/bin/sh
# Takes the pictures of a report for the documentation: take.sh REPORT.html NAME writes NAME.png and NAME-phone.png here.
# Needs chromium. A headless window cannot be narrower than 500 px, so the phone's 390 px are a frame in it.
set -eu
[ $# -eq 2 ] && [ -f "$1" ] || { echo "take.sh REPORT.html NAME" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd -P)
page=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
frame=$(mktemp --suffix=.html)
trap 'rm -f "$frame"' EXIT
printf '<body style="margin:0"><iframe src="file://%s" style="width:390px;height:2000px;border:0"></iframe></body>\n' "$page" >"$frame"
picture() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files --virtual-time-budget=4000 \
        --force-device-scale-factor="$4" --window-size="$3" --screenshot="$2" "file://$1" >/dev/null 2>&1
}
picture "$page" "$here/$2.png" 1280,2000 0.75
picture "$frame" "$here/$2-phone.png" 500,1600 0.75
