// access.mjs - everybody can use the page: names for all controls, all reached by Tab, a ring where the
// focus is, text that stands out, in light and dark, wide and narrow.
import { readFileSync } from "node:fs";
import { check, test } from "./harness.mjs";
import { csv, drop, page, setWindow, within, world } from "./session.mjs";

const LEAST = 4.5; // contrast of text, WCAG 2.1 AA
const LEAST_LARGE = 3; // of large text and of what is not text

// What a control is called by those who cannot see it.
const unnamed = (target) => target.evaluate(() =>
  [...document.querySelectorAll("button, select, input, textarea, a, canvas, summary, dialog, output, [role], [tabindex]")].filter((element) => {
    const label = element.closest("label")?.textContent ?? (element.id && document.querySelector(`label[for="${element.id}"]`)?.textContent);
    const name = element.getAttribute("aria-label") || label || (element.tagName === "SELECT" ? "" : element.textContent) || element.title;
    return !name?.trim();
  }).map((element) => element.outerHTML.slice(0, 80)));

await test("every control has a name", async () => {
  const without = await unnamed(page);
  check(without.length === 0, without.join("\n"));
});

// Texts whose colour is too near to what is behind them.
const faint = (target, root) => target.evaluate(([least, large, from]) => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    const scaled = text.startsWith("color(") ? numbers.map((x, i) => (i < 3 ? 255 * x : x)) : numbers;
    return [...scaled.slice(0, 3), scaled[3] ?? 1];
  };
  const luminance = (c) => c.slice(0, 3).reduce((sum, v, i) => {
    const x = v / 255;
    return sum + [0.2126, 0.7152, 0.0722][i] * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  }, 0);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => below.map((x, k) => (k < 3 ? layer[3] * layer[k] + (1 - layer[3]) * x : 1)), [255, 255, 255, 1]);
  };
  const found = [];
  for (const element of document.querySelectorAll(`${from} *`)) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(":disabled")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(parse(style.color)), luminance(behind(element))].sort((p, q) => q - p);
    const contrast = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const wanted = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? large : least;
    if (contrast < wanted) found.push(`${contrast.toFixed(2)}: ${element.tagName} ${element.id} "${element.textContent.trim().slice(0, 40)}"`);
  }
  return found;
}, [LEAST, LEAST_LARGE, root]);

await test("no button of the head is cut off, whatever the width", async () => {
  const target = page;
  await target.evaluate(() => window.rigor.play(false));
  const before = target.viewportSize();
  for (const width of [360, 390, 600, 760, 770, 800, 900, 961, 1000, 1280]) {
    await setWindow(target, { viewport: { width, height: 480 } });
    const bad = await target.evaluate(() => {
      const all = [...document.querySelectorAll("header button, header select, header a")].filter((one) => one.checkVisibility());
      return all.filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const covered = !one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
        return left < 0 || right > innerWidth || covered || (one.id !== "scenes" && one.scrollWidth > one.clientWidth + 1 && one.tagName === "BUTTON");
      }).map((one) => one.id || one.textContent);
    });
    check(bad.length === 0, `${width} pixels wide: ${bad}`);
  }
  await setWindow(target, { viewport: before });
});

const WIDE = { width: 1000, height: 640 };
const NARROW = { width: 390, height: 844 };

// What comes and goes, all at once: a selected body with its card, a legend, both offers, a message.
async function showAll() {
  await world.open("stack.json");
  await page.evaluate(() => window.rigor.setOverlay("forces", true));
  await world.simulate(0.02);
  await page.evaluate(() => {
    window.rigor.select(20);
    window.rigor.complain("s.json:1:1: a message");
    document.querySelectorAll("aside details").forEach((part) => (part.open = true));
  });
  await world.frame();
  await page.evaluate(() => {
    for (const name of ["#slow", "#rest", "#grip"]) document.querySelector(name).hidden = false;
    document.querySelector("#slow-text").textContent = "Slower than the clock";
    document.querySelector("#grip").textContent = "12 N";
  });
}
async function hideAll() {
  await page.evaluate(() => window.rigor.setOverlay("forces", false));
  await page.evaluate(() => ["#slow", "#rest", "#grip"].forEach((name) => (document.querySelector(name).hidden = true)));
  await world.open("stack.json");
}

for (const colorScheme of ["light", "dark"])
  for (const viewport of [WIDE, NARROW])
    await test(`text stands out, ${colorScheme}, ${viewport.width} pixels wide`, () => within(page, { viewport, colorScheme }, async () => {
      const bad = [];
      const look = async (...roots) => {
        for (const root of roots) bad.push(...(await faint(page, root)));
      };
      await showAll();
      if (viewport === NARROW) await page.click("#menu");
      await look("body > header", "main", "aside");
      if (viewport === NARROW) await page.click("#menu");
      await page.click("#scenes");
      await look("#gallery-dialog");
      await page.keyboard.press("Escape");
      await page.focus("#view");
      await page.keyboard.press("?");
      await look("#help");
      await page.keyboard.press("Escape");
      await page.evaluate(() => window.rigor.tour.go(0));
      await look("#tour", "main");
      await page.evaluate(() => window.rigor.tour.end());
      check(bad.length === 0, bad.join("\n"));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= viewport.width, `the page is ${wide} pixels wide`);
      await hideAll();
    }));

const CONTROLS = "a, button, select, input, textarea, summary, [tabindex]";
const reached = new Set(); // controls, over all states of the page

// Goes by Tab through what is to be seen within `root`: all of it is reached, with a ring where the focus is.
async function walk(root, what) {
  const { wanted, presses } = await page.evaluate(([controls, from]) => {
    const all = [...document.querySelectorAll(controls)];
    all.forEach((element, i) => (element.dataset.reach = String(i)));
    window.walked = [];
    window.onfocusin = ({ target }) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      window.walked.push([target.dataset.reach, outlineStyle !== "none" && parseFloat(outlineWidth) >= 1, target.outerHTML.slice(0, 60)]);
    };
    window.addEventListener("focusin", window.onfocusin);
    document.activeElement?.blur();
    const seen = all.filter((element) => element.checkVisibility() && !element.disabled && element.closest(from) && (from !== "body" || !element.closest("dialog")));
    const others = all.filter((element) => element.checkVisibility() && !element.closest("dialog")).length;
    return { wanted: seen.map((element) => [element.dataset.reach, element.outerHTML.slice(0, 60)]), presses: (document.querySelector(`${from}:modal`) ? seen.length : others) + 4 };
  }, [CONTROLS, root]);
  for (let i = 0; i < presses; ++i) await page.keyboard.press("Tab");
  const walked = await page.evaluate(() => {
    window.removeEventListener("focusin", window.onfocusin);
    return window.walked;
  });
  const here = new Set(walked.map(([id]) => id));
  here.forEach((id) => reached.add(id));
  const missing = wanted.filter(([id]) => !here.has(id));
  check(missing.length === 0, `${what}: Tab does not reach ${missing.map(([, text]) => text).join("; ")}`);
  const bare = walked.filter(([id, ring]) => id !== undefined && !ring);
  check(bare.length === 0, `${what}: no ring at ${bare.map(([, , text]) => text).join("; ")}`);
}

await test("every control is reached by Tab, with a ring where the focus is: in the page, its dialogs, the tour, a recorded run", async () => {
  await within(page, { viewport: WIDE }, async () => {
    await showAll();
    await walk("body", "the page");
    await page.click("#scenes");
    await walk("#gallery-dialog", "the gallery");
    await page.keyboard.press("Escape");
    await page.click("#brand");
    await walk("#help", "the help");
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.rigor.tour.go(1));
    await page.evaluate(() => window.rigor.play(false));
    await walk("main", "the tour");
    await page.evaluate(() => window.rigor.tour.end());
    await world.open("dominoes.json");
    await drop(readFileSync(csv, "utf8"), "run.csv");
    await page.waitForFunction(() => window.rigor.recording !== null);
    await page.evaluate(() => window.rigor.play(false));
    await walk("main", "a recorded run");
  });
  await within(page, { viewport: NARROW }, async () => {
    await hideAll();
    await page.click("#menu");
    await walk("body", "a narrow page with its panel");
    await page.click("#menu");
  });
  // Nothing that one can press is left out, in whatever state the page shows it.
  const never = await page.evaluate(([controls, seen]) => [...document.querySelectorAll(controls)].filter((element) =>
    !element.disabled && !seen.includes(element.dataset.reach)).map((element) => element.outerHTML.slice(0, 80)), [CONTROLS, [...reached]]);
  check(never.length === 0, `never reached: ${never.join("; ")}`);
});
