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
}

const ZOOM = 1.2; // of one press

// While the gallery is open only the key that closes it is heard. A button that was reached by Tab is
// pressed by Space, as everywhere; one that was clicked keeps the focus, but not the key.
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
  };
  const repeated: Partial<Record<string, () => void>> = {
    ".": actions.step,
    "+": () => actions.zoom(1 / ZOOM),
    "-": () => actions.zoom(ZOOM),
  };
  let tabbed = false;
  window.addEventListener("pointerdown", () => (tabbed = false), true);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
    if (event.key === " " && tabbed && target.matches("button, summary")) return;
    if (event.key !== "g" && document.querySelector("dialog[open]")) return;
    const action = (event.repeat ? undefined : once[event.key]) ?? repeated[event.key];
    if (action || event.key in once) event.preventDefault();
    action?.();
  });
}
