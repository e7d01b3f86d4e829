// Named tests for Node: one line each, and a count at the end.
export const count = { passed: 0, failed: 0 };

export function test(name, body) {
  try {
    body();
    count.passed += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    count.failed += 1;
    console.log(`FAIL  ${name}\n    | ${error.message}`);
  }
}
