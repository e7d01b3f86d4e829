// gallery.ts - the scenes to choose from, each with its name and one line.

export interface SceneText {
  name: string; // of the file
  group: string; // "" stands before the others
  text: string;
  run?: string; // a recorded run of it, CSV
}

// What stands in the file as title; files that are refused have none.
function titleOf(text: string): string {
  try {
    return JSON.parse(text).title ?? "";
  } catch {
    return "";
  }
}

export const shortName = (name: string): string =>
  name.replace(/\.json$/, "").replace(/_/g, " ");

export class Gallery {
  private cards = new Map<SceneText, HTMLElement>();
  private dialog = document.querySelector<HTMLDialogElement>("#gallery-dialog")!;

  constructor(private scenes: SceneText[], private open: (scene: SceneText) => void) {
    document.querySelector("#scenes")!.addEventListener("click", () => this.show());
    document.querySelector("#close-gallery")!.addEventListener("click", () => this.dialog.close());
    // A click beside it closes it.
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  // Makes the cards, which takes a moment.
  fill(): void {
    const { scenes } = this;
    const groups = [...new Set(scenes.map(({ group }) => group))];
    document.querySelector("#gallery")!.replaceChildren(...groups.flatMap((group) => {
      const heading = document.createElement("h2");
      heading.textContent = group;
      const cards = document.createElement("div");
      cards.className = "cards";
      cards.append(...scenes.filter((scene) => scene.group === group).map((scene) => this.card(scene)));
      return group ? [heading, cards] : [cards];
    }));
  }

  show(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }

  close(): void {
    this.dialog.close();
  }

  private card(scene: SceneText): HTMLElement {
    const button = document.createElement("button");
    const name = document.createElement("strong");
    name.textContent = shortName(scene.name) + (scene.run ? " (recorded)" : "");
    const line = document.createElement("span");
    line.textContent = titleOf(scene.text);
    button.append(name, line);
    button.dataset.scene = scene.name;
    this.cards.set(scene, button);
    button.addEventListener("click", () => {
      this.dialog.close();
      this.open(scene);
    });
    return button;
  }

  // Marks the scene that is open.
  mark(scene: SceneText): void {
    for (const [one, button] of this.cards) button.setAttribute("aria-pressed", String(one === scene));
  }
}
