#!/usr/bin/env bash
# No command destroys what it reads, or writes two things into one file, by whatever names the files
# are called: refused with exit code 2, and every file stays as it was.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir folder
ln -s . here
cat >mesh.off <<'END'
OFF
4 4 6
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
END
cp mesh.off mesh.csv
cat >mesh.json <<'END'
{"rigor": 1, "time": 0.05, "bodies": [{"shapes": [{"shape": "hull", "file": "mesh.csv"}]}]}
END
write_ball s.json
"$rigor" run s.json --time 0.05 -o old.csv --save old.snapshot -q
"$rigor" run s.json --time 0.05 --dump-problems problems -q
cp problems/*-0010-* p.json
cp p.json q.json
printf '<html><script id="rigor-given" type="application/json">null</script></html>\n' >empty.html

# names FILE: other names of a file of this folder.
names() {
  echo "$1" "./$1" "here/$1" "here/here/$1" "$PWD/$1" "folder/../$1"
  ln -sf "$1" "soft-$1"
  ln -f "$1" "hard-$1" 2>/dev/null && echo "hard-$1"
  echo "soft-$1"
}
# keeps WHAT ARGUMENT...: the command refuses, and no file has changed.
keeps() {
  local what=$1 before after
  shift
  before=$(find . -type f ! -name '.*' -exec cksum {} + | sort)
  call "$@"
  after=$(find . -type f ! -name '.*' -exec cksum {} + | sort)
  is "$what: exit code" "$code" 2
  has "$what: message" "$err" "; name "
  is "$what: the files" "$after" "$before"
}

for name in $(names s.json); do
  keeps "view over the scene as $name" view s.json --page empty.html -o "$name"
  keeps "save over the scene as $name" run s.json --save "$name"
  keeps "a page of compare over the scene as $name" compare s.json --html "$name"
done
for name in $(names empty.html); do
  keeps "view over its empty page as $name" view s.json --page empty.html -o "$name"
done
for name in $(names old.csv); do
  keeps "view over its run as $name" view old.csv --page empty.html -o "$name"
  keeps "view over its run, named apart, as $name" view s.json --run old.csv --page empty.html -o "$name"
done
keeps "view over the scene of its run" view old.csv --page empty.html -o old.scene.json
for name in $(names mesh.csv); do
  keeps "save over a mesh as $name" run mesh.json --save "$name"
done
keeps "a trajectory over a mesh" run mesh.json -o here/mesh.csv
keeps "view over a mesh" view mesh.json --page empty.html -o mesh.csv
for name in $(names p.json); do
  keeps "a profile over its problem as $name" solve q.json p.json --profile "$name" -q
done
for name in $(names old.snapshot); do
  ln -sf old.snapshot link.csv
  keeps "a trajectory over the snapshot it starts from" run s.json --load "$name" -o link.csv
done

# Two outputs: files that exist, and files that do not yet.
for name in run.csv ./run.csv here/run.csv "$PWD/run.csv" folder/../run.csv; do
  keeps "trajectory and snapshot in one file $name" run s.json -o run.csv --save "$name"
done
ln -s fresh.csv dangling.csv
keeps "trajectory and snapshot in one file, through a link" run s.json -o fresh.csv --save dangling.csv
keeps "a snapshot in the certificates" run s.json -o run.csv --save here/run.certificate.csv
keeps "a snapshot in the kept scene" run s.json -o run.csv --save run.scene.json
keeps "a snapshot among the problems" run s.json --dump-problems problems --save here/problems/step-0003-island-0000.json
keeps "a trajectory among the problems" run s.json --dump-problems here/problems -o problems/step-1.csv

# Problems over what is read: the scene itself, a link to it, a mesh, the snapshot that the run starts from.
write_pile touching.json
sed -i 's/0, 0, 0.6/0, 0, 0.5/' touching.json
first=step-0001-island-0000.json
"$rigor" run touching.json --time 0.01 --dump-problems look -q
holds "a problem is dumped at once" test -e "look/$first"
mkdir dumps
cp touching.json "dumps/$first"
keeps "problems over the scene among them" run "dumps/$first" --time 0.05 --dump-problems here/dumps
for way in "ln touching.json" "ln -s ../touching.json" "ln -s $PWD/touching.json"; do
  rm -rf dumps
  mkdir dumps
  $way "dumps/$first"
  keeps "problems over the scene ($way)" run touching.json --time 0.05 --dump-problems here/dumps
  keeps "problems over the scene, named as one of them ($way)" run "dumps/$first" --time 0.05 --dump-problems here/dumps
done
"$rigor" run touching.json --time 0.01 --save "dumps/$first.old" -q && mv "dumps/$first.old" "dumps/$first"
keeps "problems over the snapshot" run touching.json --load "dumps/$first" --time 0.05 --dump-problems dumps
sed 's/mesh.csv/dumps\/step-1.off/' mesh.json >mesh-there.json
cp mesh.off dumps/step-1.off
keeps "problems over a mesh" run mesh-there.json --dump-problems dumps

# What is not a clash works.
call run s.json --load old.snapshot --time 0.05 --save ./old.snapshot -q
is "a snapshot may be replaced by the run that starts from it" "$code" 0
call run s.json --time 0.05 -o folder/old.csv --save folder/old.snapshot -q
is "the same names in another folder" "$code" 0
call run s.json --time 0.05 -o problems/run.csv --dump-problems problems -q
is "other files in the folder of problems" "$code" 0
call view s.json --page empty.html -o /dev/null
is "what cannot be overwritten may be used" "$code" 0

# A page that cannot be written whole leaves the old one.
echo old >page.html
for size in 0 1; do
  (
    trap '' XFSZ
    ulimit -f "$size"
    exec "$rigor" view s.json --page "$work/big.html" -o page.html >/dev/null 2>err
  )
  is "no page to copy" "$?" 2
  { cat empty.html; head -c 100000 /dev/zero | tr '\0' x; } >big.html
  (
    trap '' XFSZ
    ulimit -f "$size"
    exec "$rigor" view s.json --page big.html -o page.html >/dev/null 2>err
  )
  is "a page on a full disk: exit code" "$?" 3
  is "a page on a full disk: the old one stays" "$(<page.html)" old
  is "a page on a full disk: nothing is left" "$(find . -name '*.part')" ""
  rm big.html
done

finish
