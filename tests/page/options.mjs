// options.mjs - what is set takes effect in the world.
import { check, test } from "./harness.mjs";
import { optionsNow, page, setOption, world } from "./session.mjs";

// The state after some steps with an option set to each of some values.
async function statesWith(scene, option, values, seconds, measure) {
  const found = [];
  for (const value of values) {
    await world.open(scene);
    await setOption(option, value);
    check((await optionsNow())[option] === value, `${option} is ${(await optionsNow())[option]}`);
    await world.simulate(seconds);
    found.push(await page.evaluate(measure));
  }
  return found;
}
const hash = () => window.rigor.engine.hash();

await test("the stabilizer takes effect: a pendulum leaves its circle, or stays on it", async () => {
  const off = () => window.rigor.engine.joints()[11];
  const [none, post] = await statesWith("pendulum_drift.json", "stabilizer", ["none", "post"], 2, off);
  check(none > 1e-2 && post < 1e-9, `the anchor is off by ${none} and ${post} m`);
});

await test("the friction model takes effect: a polygon bends the path of a pushed body", async () => {
  const aside = () => {
    const [x, y] = window.rigor.engine.bodies().subarray(9);
    return y - Math.sqrt(3) * x;
  };
  const [exact, inner] = await statesWith("cone_weakness.json", "cone", ["exact", "inner"], 3, aside);
  check(Math.abs(exact) < 1e-6 && Math.abs(inner) > 1e-3, `it is ${exact} and ${inner} m beside the line of the force`);
});

await test("stepper, solver and step size take effect", async () => {
  const [theta, paper] = await statesWith("pendulum_drift.json", "stepper", ["theta", "anitescu-potra"], 1, hash);
  check(theta !== paper, "both steppers give the same state");
  const [nsgs, newton] = await statesWith("stack.json", "solver", ["nsgs", "newton"], 0.1, hash);
  check(nsgs !== newton, "both solvers give the same bits");
  const [, steps] = await statesWith("stack.json", "step", ["0.01", "0.002"], 0.1, () => window.rigor.engine.state().steps);
  check(steps === 50, `0.1 s are ${steps} steps of 2 ms`);
});

await test("gravity takes effect, and options hold over a reset", async () => {
  await world.open("dominoes.json");
  const [x, y, z] = ((await optionsNow()).gravity.match(/-?[\d.]+/g) ?? []).map(Number);
  check(x === 0 && y === 0 && z < 0, (await optionsNow()).gravity);
  await setOption("gravity", (await optionsNow()).gravity.replace("-", ""));
  await page.click("#reset");
  await world.simulate(0.5);
  const up = await world.position(5);
  check(up[2] > 1, `a domino that falls upwards is at ${up}`);
});

await test("a wrong option is refused with a message; a preset sets many", async () => {
  await world.open("stack.json");
  const before = await optionsNow();
  await setOption("step", "-1");
  check(/must be a number > 0/.test(await page.textContent("#error-message")), await page.textContent("#error"));
  await page.selectOption("#preset", "realtime");
  const after = await optionsNow();
  check(after.tolerance !== before.tolerance && after.step !== "-1", JSON.stringify(after));
});

await test("the light is green, amber and red: met, not met, failed", async () => {
  const light = async () => {
    await world.frame();
    return page.getAttribute("#light", "data-light");
  };
  await world.open("stack.json");
  await page.click("#step");
  check((await light()) === "met", "not met");
  await page.evaluate(() => document.querySelectorAll("aside details").forEach((part) => (part.open = true)));
  await world.open("demo.json");
  await setOption("iteration_limit", "1");
  await world.simulate(0.3);
  check((await light()) === "budget", `${await light()} within one iteration`);
  await world.open("stack.json");
  await setOption("solver", "direct"); // takes no contacts
  await page.click("#step");
  check((await light()) === "failed", `${await light()} with a solver that does not take the problem`);
  check(await page.isVisible("#error"), "the failure has no message");
});
