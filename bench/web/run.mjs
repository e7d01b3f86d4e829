// run.mjs - engines side by side on one scene.
import { POSE } from "./scenes.mjs";

const TURN = 10; // steps of one engine before it is the next one's turn
const WARM_STEPS = 60; // before the clock runs, at most, so that the code is compiled
const WARM_CPU = 1; // [s] at most

/** CPU time of this process [s]: all its threads, so that compiling and collecting are counted. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return 1e-6 * (user + system);
}

function timed(world) {
  const start = cpu();
  world.step();
  return cpu() - start;
}

// The same scene for a moment, and a new world for the run itself.
function warmUp(make, scene) {
  const world = make(scene);
  let spent = 0;
  for (let i = 0; i < WARM_STEPS && spent < WARM_CPU; ++i) spent += timed(world);
  world.free();
}

function startRunner(engine, make, scene) {
  const runner = { engine, times: [], cpu: 0, worst: 0, notMet: 0, residual: 0, iterations: 0 };
  try {
    warmUp(make, scene);
    runner.world = make(scene);
  } catch (error) {
    runner.error = error.message;
  }
  return runner;
}

function look(runner, scene) {
  runner.world.poses(runner.poses);
  runner.end = scene.measure(runner.poses);
  runner.worst = Math.max(runner.worst, runner.end.relative);
}

function collect(runner) {
  const report = runner.world.report?.();
  if (!report) return;
  runner.residual = Math.max(runner.residual, report.residual);
  runner.notMet += report.met ? 0 : 1;
  runner.iterations += report.iterations;
}

// Up to TURN steps, the clock running in the engine alone.
function takeTurn(runner, scene, plan) {
  const over = () => runner.times.length >= plan.steps || runner.cpu >= plan.budget;
  for (let i = 0; i < TURN && !over(); ++i) {
    const time = timed(runner.world);
    runner.times.push(time);
    runner.cpu += time;
    collect(runner);
    if (runner.times.length % plan.measureEvery === 0 || over()) look(runner, scene);
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function finish(runner) {
  const { times } = runner;
  const steps = times.length;
  const sorted = [...times].sort((a, b) => a - b);
  const row = {
    engine: runner.engine.name,
    family: runner.engine.family,
    error: runner.error ?? null,
    steps,
    times,
    median: steps ? sorted[Math.floor(steps / 2)] : null, // [s]
    mean: steps ? runner.cpu / steps : null, // [s]
    end: runner.end ?? null,
    worst: runner.end ? runner.worst : null,
    contacts: runner.world ? runner.world.contacts() : null,
    certificate: null,
  };
  if (runner.world?.report)
    row.certificate = {
      residual: runner.residual,
      met: steps - runner.notMet,
      iterations: runner.iterations / steps,
    };
  runner.world?.free();
  return row;
}

/** Ratio of the CPU times of two rows over the steps that both have done. */
export function timeRatio(row, other) {
  const common = Math.min(row.steps, other.steps);
  return sum(row.times.slice(0, common)) / sum(other.times.slice(0, common));
}

/**
 * Runs engines on a scene, a few steps of each in turn, so that what disturbs the machine disturbs
 * all alike. `engines` are pairs of an engine and what its `start` gave.
 */
export function runScene(entry, engines, { steps, budget, progress }) {
  const scene = entry.open();
  const plan = { steps, budget, measureEvery: entry.measureEvery };
  const runners = engines.map(([engine, make]) => startRunner(engine, make, scene));
  for (const runner of runners) runner.poses = new Float64Array(scene.bodies.length * POSE);
  for (let first = 0; first < steps; first += TURN) {
    for (const runner of runners)
      if (!runner.error)
        try {
          takeTurn(runner, scene, plan);
        } catch (error) {
          runner.error = error.message;
        }
    progress(first / steps);
  }
  progress(1);
  const rows = runners.map(finish);
  scene.close();
  return rows;
}
