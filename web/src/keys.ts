// keys.ts - the keyboard, but for what the camera's controls take themselves.
import type { Tool } from "./hand";

export interface KeyActions {
  play(): void;
  step(): void;
  reset(): void;
  throwBall(): void;
  setTool(tool: Tool): void;
  showGallery(): void;
  zoom(factor: number): void;
  fit(): void;
  help(): void;
}

const ZOOM = 1.2; // of one press
const WRITTEN_INTO = "input:not([type=checkbox], [type=range], [type=file])"; // these need all keys

// While a dialog is open only the key that closes it is heard. What was reached by Tab has the keys it
// has everywhere: Space presses a button and ticks a box. What was clicked has not.
export function bindKeys(actions: KeyActions): void {
  const once: Partial<Record<string, () => void>> = {
    " ": actions.play,
    r: actions.reset,
    b: actions.throwBall,
    1: () => actions.setTool("hand"),
    2: () => actions.setTool("push"),
    3: () => actions.setTool("pull"),
    4: () => actions.setTool("throw"),
    g: actions.showGallery,
    f: actions.fit,
    Home: actions.fit,
    "?": actions.help,
  };
  const repeated: Partial<Record<string, () => void>> = {
    ".": actions.step,
    "+": () => actions.zoom(1 / ZOOM),
    "-": () => actions.zoom(ZOOM),
  };
  let tabbed = false;
  window.addEventListener("pointerdown", () => (tabbed = false), true);
  window.addEventListener("change", ({ target }) => {
    if (!tabbed && target instanceof HTMLElement && target.matches("input[type=checkbox], select")) target.blur();
  });
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches(WRITTEN_INTO)) return;
    if (tabbed && target.matches("select, input[type=range]")) return; // whose keys choose a value
    if (event.key === " " && tabbed && target.matches("button, summary, input, a")) return;
    const dialog = document.querySelector("dialog[open]");
    if (dialog && !(event.key === "g" && dialog.id === "gallery-dialog") && !(event.key === "?" && dialog.id === "help")) return;
    const action = (event.repeat ? undefined : once[event.key]) ?? repeated[event.key];
    if (action || event.key in once) event.preventDefault();
    action?.();
  });
}
