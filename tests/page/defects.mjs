// defects.mjs - what once went wrong: keys after a click, narrow windows, messages, files that are none.
import { check, test } from "./harness.mjs";
import { boxOf, pictureOf } from "./pixels.mjs";
import { page, setOption, shot, within, world } from "./session.mjs";

await test("opening the panel of a narrow window leaves the bodies to be seen, five times of five, light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const [narrow, small] = [page, world];
    await small.open("arch.json");
    await within(page, { viewport: { width: 390, height: 844 }, colorScheme }, async () => {
      await small.frame();
      for (let i = 0; i < 5; ++i) {
        await narrow.click("#menu");
        await small.frame();
        const box = boxOf(await pictureOf(narrow));
        check(box && box[2] - box[0] > 0.4 && box[0] > 0 && box[2] < 0.999 && box[3] < 0.999, `with the panel they fill ${box}`);
        if (i === 0) await shot(narrow, `narrow-panel-${colorScheme}`);
        const [picture, panel] = await narrow.evaluate(() =>
          ["#frame", "#panel"].map((name) => document.querySelector(name).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
        check(picture[1] <= panel[0] + 1 && picture[1] - picture[0] > 250, `the picture ends at ${picture[1]}, the panel begins at ${panel[0]}`);
        await narrow.click("#menu");
        await small.frame();
      }
    });
  }
});

await test("keys are heard after a click on a checkbox or a choice, and Space plays instead of unticking", async () => {
  await world.open("stack.json");
  await page.click('[data-overlay="contacts"]');
  await page.keyboard.press("Space");
  check((await page.textContent("#play")) === "Pause", "Space does not play");
  check(await page.isChecked('[data-overlay="contacts"]'), "Space has unticked the box");
  await page.keyboard.press("Space");
  await page.keyboard.press("r");
  check((await world.state()).steps === 0, "'r' does not reset");
  await page.selectOption("#speed", "0.5");
  await page.keyboard.press(".");
  const { steps } = await world.state();
  check(steps === 1, `'.' after a choice: ${steps} steps`);
  await page.selectOption("#speed", "1");
  await page.click('[data-overlay="contacts"]');
  check(!(await page.isChecked('[data-overlay="contacts"]')), "a click does not untick");
});

await test("a box that was reached by Tab is ticked by Space", async () => {
  await page.focus('[data-overlay="contacts"]');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  const ticked = await page.evaluate(() => [document.activeElement.dataset.overlay, document.activeElement.checked]);
  check(ticked[1] === true, ticked.join());
  await page.keyboard.press("Space");
  check((await page.textContent("#play")) === "Play", "Space plays all the same");
});

await test("'?' shows what the keys do, and closes it; so does the name of the page", async () => {
  await page.focus("#view");
  await page.keyboard.press("?");
  check(await page.isVisible("#help"), "there is no help");
  const text = await page.textContent("#help");
  for (const key of ["Space", ".", "R", "G", "B", "F", "Home", "?", "1", "4"]) check(text.includes(key), `${key} is not told`);
  await shot(page, "help");
  await page.keyboard.press("?");
  check(!(await page.isVisible("#help")), "'?' does not close it");
  await page.click("#brand");
  check(await page.isVisible("#help"), "the name does not lead to it");
  await page.click("#close-help");
});

await test("the page has its name, its version and a link", async () => {
  check(/^Rigor\s+\d+\.\d+\.\d+$/.test((await page.textContent("#brand")).trim()), await page.textContent("#brand"));
  check((await page.getAttribute("#brand", "href")) === "#help" && (await page.isVisible("#brand")), "it is no link");
});

await test("messages of options have their names, not the flags of the command", async () => {
  await world.open("stack.json");
  await setOption("step", "-1");
  const message = await page.textContent("#error-message");
  check(/^step is '-1', must be a number > 0/.test(message), message);
  await page.evaluate(() => document.querySelectorAll("aside details").forEach((part) => (part.open = true)));
  await setOption("iteration_limit", "x");
  check(/^iteration limit is 'x'/.test(await page.textContent("#error-message")), await page.textContent("#error-message"));
});

await test("a dropped picture is refused as what it is", async () => {
  await page.evaluate(() => {
    const data = new DataTransfer();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0xff, 0xfe, 0xef, 0);
    data.items.add(new File([png], "photo.png"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
  });
  await page.waitForFunction(() => document.querySelector("#error-message").textContent.includes("photo.png"));
  const message = await page.textContent("#error-message");
  check(/photo\.png is no text; a scene \(\.json\) or a recorded run \(\.csv\)/.test(message), message);
});
