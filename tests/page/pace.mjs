// pace.mjs - who gets the time (web/src/pace.ts), on a clock that the test moves: the simulation
// keeps up while drawing is slow, whatever drawing costs.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { check, test } from "./harness.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const typescript = require("typescript");
const source = readFileSync(new URL("../../web/src/pace.ts", import.meta.url), "utf8");
const { outputText } = typescript.transpileModule(source, { compilerOptions: { target: "ES2022", module: "ESNext" } });
const { DrawPace, Quality, StepPace } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const STEP = 1 / 60; // [s]
const TICK = 0.25; // [ms] of the model

// Two cores: steps run in one thread, frames are drawn by two, and while both work each of the three
// threads gets two thirds of a core. `stepCost(t)` [ms of a core] of a step that begins at t [ms],
// `drawCost` [ms] of a frame with both cores.
function play(seconds, speed, stepCost, drawCost) {
  const steps = new StepPace();
  const draws = new DrawPace();
  steps.start(0);
  let [stepLeft, drawLeft, made, frames] = [0, 0, 0, 0];
  for (let now = 0; now < 1000 * seconds; now += TICK) {
    steps.advance(now, speed);
    if (stepLeft <= 0 && steps.isDue(STEP)) stepLeft = stepCost(now);
    if (drawLeft <= 0 && draws.isDue(now)) {
      draws.begin(now);
      drawLeft = drawCost;
    }
    const rate = stepLeft > 0 && drawLeft > 0 ? 2 / 3 : 1;
    if (stepLeft > 0) {
      stepLeft -= rate * TICK;
      if (stepLeft <= 0) {
        steps.made(STEP);
        made += 1;
      }
    }
    if (drawLeft > 0) {
      drawLeft -= rate * TICK;
      if (drawLeft <= 0) {
        draws.end(now, steps.lag(speed));
        frames += 1;
      }
    }
  }
  return { pace: (made * STEP) / seconds, rate: frames / seconds, shown: steps.pace };
}

await test("the simulation keeps up with the clock however long drawing takes", () => {
  for (const drawCost of [5, 30, 100, 180])
    for (const stepCost of [1, 8, 13]) {
      const { pace, rate, shown } = play(10, 1, () => stepCost, drawCost);
      const text = `frames of ${drawCost} ms, steps of ${stepCost} ms: ${pace.toFixed(3)} x, ${rate.toFixed(1)} frames/s`;
      check(pace > 0.99 && pace < 1.01, text);
      check(Math.abs(shown - 1) < 0.1, `${text}, shows ${shown}`);
      check(rate > 1.9, `${text}: too few`);
    }
});

await test("frames follow each other at once while there is time", () => {
  const { pace, rate } = play(10, 1, () => 2, 20);
  check(pace > 0.99 && rate > 35, `${pace.toFixed(3)} x, ${rate.toFixed(1)} frames/s of at most 50`);
});

await test("speeds other than that of the clock are kept as well", () => {
  for (const speed of [0.1, 0.5, 2]) {
    const { pace } = play(10, speed, () => 3, 60);
    check(Math.abs(10 * (pace - speed)) <= 1.01 * STEP, `${pace.toFixed(3)} x instead of ${speed}`); // but for the step under way
  }
});

await test("what is too slow runs in slow motion, still draws, and is not caught up with later", () => {
  const slow = play(10, 1, () => 50, 60); // a third of the clock at best
  check(slow.pace > 0.25 && slow.pace < 1 / 3 && slow.rate > 1.9, `${slow.pace.toFixed(3)} x, ${slow.rate.toFixed(1)} frames/s`);
  const first = play(5, 1, () => 50, 60);
  const both = play(10, 1, (now) => (now < 5000 ? 50 : 2), 60);
  const later = (10 * both.pace - 5 * first.pace) / 5;
  check(later > 0.99 && later < 1.06, `afterwards ${later.toFixed(3)} x`); // at most a quarter of a second
});

await test("what moves is drawn with as many pixels as keep a frame short, and the number settles", () => {
  for (const [perPixel, fixed, finest, coarsest] of [[1, 1, 2, 2], [10, 5, 1, 1], [60, 10, 0.75, 0.75], [500, 20, 0.5, 0.5]]) {
    const quality = new Quality();
    const seen = [];
    for (let i = 0; i < 100; ++i) {
      seen.push(quality.moving);
      quality.note(fixed + perPixel * quality.moving ** 2); // [ms]
    }
    const last = new Set(seen.slice(-50));
    const text = `${fixed} + ${perPixel} ms: ${[...last].join()}`;
    check(last.size === 1 && seen.at(-1) <= finest && seen.at(-1) >= coarsest, text);
  }
});
