// access.mjs - everybody can use the page: names for all controls, all reached by Tab, a ring where the
// focus is, text that stands out, in light and dark, wide and narrow.
import { openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { browser, complaints, page, pageFile } from "./session.mjs";

const LEAST = 4.5; // contrast of text, WCAG 2.1 AA
const LEAST_LARGE = 3; // of large text and of what is not text

// What a control is called by those who cannot see it.
const unnamed = (target) => target.evaluate(() =>
  [...document.querySelectorAll("button, select, input, a, canvas, summary, [role=application]")].filter((element) => {
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
  const target = await openPage(browser, pageFile, complaints, { viewport: { width: 800, height: 480 } });
  await target.evaluate(() => window.rigor.play(false));
  for (const width of [360, 390, 600, 760, 770, 800, 900, 961, 1000, 1280]) {
    await target.setViewportSize({ width, height: 480 });
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
  await target.close();
});

for (const colorScheme of ["light", "dark"])
  for (const viewport of [{ width: 1000, height: 640 }, { width: 390, height: 844 }])
    await test(`text stands out, ${colorScheme}, ${viewport.width} pixels wide`, async () => {
      const target = await openPage(browser, pageFile, complaints, { viewport, colorScheme });
      await target.evaluate(() => window.rigor.play(false));
      const bad = [];
      if (viewport.width < 500) await target.click("#menu");
      bad.push(...(await faint(target, "body > header")), ...(await faint(target, "main")), ...(await faint(target, "aside")));
      await target.click("#scenes");
      bad.push(...(await faint(target, "#gallery-dialog")));
      await target.keyboard.press("Escape");
      await target.keyboard.press("?");
      bad.push(...(await faint(target, "#help")));
      await target.keyboard.press("Escape");
      await target.evaluate(() => window.rigor.tour.go(0));
      bad.push(...(await faint(target, "#tour")), ...(await faint(target, "main")));
      check(bad.length === 0, bad.join("\n"));
      const wide = await target.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= viewport.width, `the page is ${wide} pixels wide`);
      await target.close();
    });

await test("every control is reached by Tab, in its order, with a ring where the focus is", async () => {
  const target = await openPage(browser, pageFile, complaints, { viewport: { width: 1000, height: 640 } });
  await target.evaluate(() => window.rigor.play(false));
  const wanted = await target.evaluate(() => {
    const all = [...document.querySelectorAll("a, button, select, input, summary, canvas[tabindex]")].filter((element) =>
      element.checkVisibility() && !element.disabled && !element.closest("dialog"));
    all.forEach((element, i) => (element.dataset.reach = String(i)));
    return all.length;
  });
  const reached = new Set();
  const bare = [];
  for (let i = 0; i < wanted + 6; ++i) {
    await target.keyboard.press("Tab");
    const [at, ring, name] = await target.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return [element.dataset?.reach, outlineStyle !== "none" && parseFloat(outlineWidth) >= 1, element.outerHTML.slice(0, 60)];
    });
    if (at === undefined) continue;
    reached.add(at);
    if (!ring) bare.push(name);
  }
  check(reached.size === wanted, `${reached.size} of ${wanted} controls are reached`);
  check(bare.length === 0, `no ring at ${bare.join("; ")}`);
  await target.close();
});
