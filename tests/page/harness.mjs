// harness.mjs - tests that say what holds, and the line of counts that scripts/test reads.
let passed = 0;
let failed = 0;

export async function test(name, body) {
  const start = performance.now();
  const time = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    await body();
    passed += 1;
    console.log(`ok    ${name} (${time()})`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n    | ${error.message.split("\n").join("\n    | ")}`);
  }
}

export function check(holds, text) {
  if (!holds) throw new Error(text);
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
