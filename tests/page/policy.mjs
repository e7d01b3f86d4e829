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

// What a hole in the page would let a scene do.
const ATTACKS = [
  ["an inline script", () => { const s = document.createElement("script"); s.textContent = "window.hacked = 1"; document.body.append(s); }],
  ["a handler in an attribute", () => { document.body.insertAdjacentHTML("beforeend", '<button id="bad" onclick="window.hacked = 1">x</button>'); document.querySelector("#bad").click(); }],
  ["a picture with a handler", () => document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.hacked = 1">')],
  ["a script from a data address", () => { const s = document.createElement("script"); s.src = "data:text/javascript,window.hacked=1"; document.body.append(s); }],
  ["a frame with a script", () => document.body.insertAdjacentHTML("beforeend", '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>')],
  ["a new base", () => { const base = document.createElement("base"); base.href = "https://example.org/"; document.head.append(base); if (document.baseURI.startsWith("https:")) window.hacked = 1; }],
  ["a request", () => fetch("https://example.org/?secret").then(() => (window.hacked = 1), () => 0)],
];
for (const [name, attack] of ATTACKS)
  await test(`the policy stops ${name}`, async () => {
    const target = await openPage(browser, pageFile, []); // which complains, as it should
    await target.evaluate(attack);
    await target.waitForTimeout(300);
    check((await target.evaluate(() => window.hacked)) === undefined, "it ran");
    await target.close();
  });

await test("a scene full of HTML is shown and runs nothing", async () => {
  const scene = join(folder, "markup.json");
  const file = join(folder, "markup.html");
  const bad = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked=1'>";
  writeFileSync(scene, JSON.stringify({ rigor: 1, title: bad, bodies: [{ name: bad.slice(0, 48), shapes: [{ shape: "sphere", radius: 1 }] }] }));
  run("view", scene, "--page", pageFile, "-o", file);
  const target = await openPage(browser, file, complaints);
  check((await target.evaluate(() => window.hacked)) === undefined, "it ran");
  check((await target.textContent("#title")).includes("<script>"), "the title is not shown as it is");
  await target.close();
});
