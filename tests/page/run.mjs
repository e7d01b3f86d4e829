// run.mjs - the page in Chromium without a screen, opened from disk as `rigor view` writes it.
// Leaves pictures in build/screenshots and closes with "N passed, N failed".
//
//   node tests/page/run.mjs PAGE RIGOR [SUBJECT...]
import { check, finish, test } from "./harness.mjs";
import { processorTime } from "./processor.mjs";
import { close, complaints } from "./session.mjs";

// In the order in which they run; each is a file.
const SUBJECTS = [
  "pace", "load", "play", "camera", "light", "defects", "touch", "options", "overlays", "plots", "tour", "files", "playback", "save", "phone", "faults", "policy", "access", "items", "looks",
];
const wanted = process.argv.slice(4);
const unknown = wanted.filter((name) => !SUBJECTS.includes(name));
if (unknown.length > 0) throw new Error(`there is no subject ${unknown.join(", ")}; there are ${SUBJECTS.join(", ")}`);

const spent = []; // by subject: seconds of the clock, and of the processor in the browser
for (const subject of SUBJECTS) {
  if (wanted.length > 0 && !wanted.includes(subject)) continue;
  const [start, before] = [performance.now(), processorTime()];
  await import(`./${subject}.mjs`);
  spent.push(`${subject} ${((performance.now() - start) / 1000).toFixed(1)} (${(processorTime() - before).toFixed(1)})`);
}
console.log(`seconds by subject, in brackets those of the processor in the browser: ${spent.join(", ")}`);
await test("no complaint in all of this", async () => check(complaints.length === 0, complaints.join("\n")));
await close();
finish();
