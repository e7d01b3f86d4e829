// policy.mjs - the content security policy: the page runs its own script and nothing else.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { browser, complaints, folder, pageFile, run } from "./session.mjs";

const html = readFileSync(pageFile, "utf8");

await test("the policy allows the script, the style and the module of the page, and no address", async () => {
  const policy = html.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/)?.[1] ?? "";
  check(html.indexOf("Content-Security-Policy") < html.indexOf("<script"), "the policy comes after a script");
  check(policy.includes("default-src 'none'"), policy);
  check(!/unsafe-inline|'unsafe-eval'|https?:|\*/.test(policy), policy);
});

// What a hole in the page would let a scene do. Each says so when it comes through.
const ATTACKS = {
  "an inline script": () => { const s = document.createElement("script"); s.textContent = "window.hacked.push('an inline script')"; document.body.append(s); },
  "a handler in an attribute": () => { document.body.insertAdjacentHTML("beforeend", `<button id="bad" onclick="window.hacked.push('a handler in an attribute')">x</button>`); document.querySelector("#bad").click(); },
  "a picture with a handler": () => document.body.insertAdjacentHTML("beforeend", `<img src="data:," onerror="window.hacked.push('a picture with a handler')">`),
  "a script from a data address": () => { const s = document.createElement("script"); s.src = "data:text/javascript,window.hacked.push('a script from a data address')"; document.body.append(s); },
  "a frame with a script": () => document.body.insertAdjacentHTML("beforeend", `<iframe srcdoc="<script>parent.hacked.push('a frame with a script')</script>"></iframe>`),
  "a request": () => fetch("https://example.org/?secret").then(() => window.hacked.push("a request"), () => 0),
  "a new base": () => { const base = document.createElement("base"); base.href = "https://example.org/"; document.head.append(base); if (document.baseURI.startsWith("https:")) window.hacked.push("a new base"); },
};
const target = await openPage(browser, pageFile, []); // which complains, as it should
await target.evaluate(() => {
  window.hacked = [];
  window.violations = 0;
  document.addEventListener("securitypolicyviolation", () => ++window.violations);
});
for (const [name, attack] of Object.entries(ATTACKS))
  await test(`the policy stops ${name}`, async () => {
    const before = await target.evaluate(() => window.violations);
    await target.evaluate(attack);
    if (name !== "a frame with a script") // whose own document is told of it
      await target.waitForFunction((count) => window.violations > count, before);
    check(!(await target.evaluate(() => window.hacked)).includes(name), "it ran");
  });
await test("nothing of that ran later", async () => {
  await target.waitForTimeout(300); // a frame needs a moment to load
  check((await target.evaluate(() => window.hacked)).length === 0, (await target.evaluate(() => window.hacked)).join());
  await target.close();
});

await test("a scene full of HTML is shown and runs nothing", async () => {
  const scene = join(folder, "markup.json");
  const file = join(folder, "markup.html");
  const bad = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked=1'>";
  writeFileSync(scene, JSON.stringify({ rigor: 1, title: bad, bodies: [{ name: bad.slice(0, 48), shapes: [{ shape: "sphere", radius: 1 }] }] }));
  run("view", scene, "--page", pageFile, "-o", file);
  const given = await openPage(browser, file, complaints);
  check((await given.evaluate(() => window.hacked)) === undefined, "it ran");
  check((await given.textContent("#title")).includes("<script>"), "the title is not shown as it is");
  await given.close();
});
