// run.mjs - the page in Chromium without a screen, opened from disk as `rigor view` writes it.
// Leaves pictures in build/screenshots and closes with "N passed, N failed".
//
//   node tests/page/run.mjs PAGE RIGOR [SUBJECT...]
import { check, finish, test } from "./harness.mjs";
import { close, complaints } from "./session.mjs";

// In the order in which they run; each is a file.
const SUBJECTS = [
  "pace", "load", "play", "camera", "light", "defects", "touch", "options", "overlays", "plots", "tour", "files", "playback", "save", "phone", "faults", "policy", "access", "looks",
];
const wanted = process.argv.slice(4);
const unknown = wanted.filter((name) => !SUBJECTS.includes(name));
if (unknown.length > 0) throw new Error(`there is no subject ${unknown.join(", ")}; there are ${SUBJECTS.join(", ")}`);

for (const subject of SUBJECTS) if (wanted.length === 0 || wanted.includes(subject)) await import(`./${subject}.mjs`);
await test("no complaint in all of this", async () => check(complaints.length === 0, complaints.join("\n")));
await close();
finish();
