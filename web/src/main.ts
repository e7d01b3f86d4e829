// main.ts - starts the page: its picture first, then the simulation.
import { firstPicture, scenes as ownScenes } from "virtual:rigor";
import type { SceneText } from "./gallery";
import { Page } from "./page";
import { Panel } from "./panel";
import { Simulation } from "./simulation";
import "./style.css";
import { makeRenderer } from "./view";

// The scene that `rigor view` has put into the page, if it has.
function givenScene(): SceneText | null {
  const given = JSON.parse(document.querySelector("#rigor-given")?.textContent ?? "null");
  return given && { ...given, group: "" };
}

// The module, which stands behind this script in the page.
async function moduleText(): Promise<string> {
  if (document.readyState === "loading")
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  return document.querySelector("#rigor-module")!.textContent!;
}

async function start(panel: Panel): Promise<void> {
  const renderer = makeRenderer(document.querySelector("canvas#view")!);
  performance.mark("ready to draw");
  const given = givenScene();
  const page = new Page(new Simulation(), renderer, panel, given ? [given, ...ownScenes] : ownScenes);
  (window as unknown as { rigor: Page }).rigor = page; // for the console of the browser; docs/page.md
  await page.run(given ? null : firstPicture, moduleText());
  document.body.dataset.ready = "true";
}

const panel = new Panel();
start(panel).catch((error: Error) => panel.showError(error.message));
