// gallery.ts - the scenes to choose from, each with its picture, its title and what to look for.

export interface SceneText {
  name: string; // of the file
  group: string; // "" stands before the others
  text: string;
  run?: string; // a recorded run of it, CSV
  contacts?: string; // its contacts with their forces, likewise
  certificate?: string; // and its certificates
  title?: string; // for people; the file's own when it has none
  look?: string; // what to look for
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
  private pictures: Record<string, string> = {}; // by the name of the scene, addresses of data
  private cards = new Map<SceneText, HTMLElement>();
  private search = document.querySelector<HTMLInputElement>("#search")!;
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
    this.pictures = JSON.parse(document.querySelector("#rigor-pictures")?.textContent ?? "{}");
    const groups = [...new Set(scenes.map(({ group }) => group))];
    document.querySelector("#gallery")!.replaceChildren(...groups.map((group) => {
      const part = document.createElement("section");
      const heading = document.createElement("h2");
      heading.textContent = group;
      const cards = document.createElement("div");
      cards.className = "cards";
      cards.append(...scenes.filter((scene) => scene.group === group).map((scene) => this.card(scene)));
      part.append(...(group ? [heading, cards] : [cards]));
      return part;
    }));
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target === this.search) return;
      event.preventDefault();
      this.search.focus();
    });
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // of the button that has the focus once the dialog is closed
      document.querySelector<HTMLElement>("#gallery button:not([hidden])")?.click();
    });
  }

  // Only what has all the words that are looked for.
  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const [scene, card] of this.cards) {
      const text = [scene.name, scene.title, scene.look, titleOf(scene.text)].join(" ").toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
      if (!card.hidden) ++found;
    }
    for (const part of document.querySelectorAll<HTMLElement>("#gallery section"))
      part.hidden = part.querySelector("button:not([hidden])") === null;
    document.querySelector<HTMLElement>("#nothing-found")!.hidden = found > 0;
  }

  show(): void {
    if (this.dialog.open) return this.dialog.close();
    this.search.value = "";
    this.filter();
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  close(): void {
    this.dialog.close();
  }

  private card(scene: SceneText): HTMLElement {
    const button = document.createElement("button");
    const name = document.createElement("strong");
    name.textContent = (scene.title ?? shortName(scene.name)) + (scene.run ? " (recorded)" : "");
    const line = document.createElement("span");
    line.textContent = scene.look ?? titleOf(scene.text);
    button.title = titleOf(scene.text);
    button.append(...(scene.title && this.pictures[scene.name] ? [this.pictureOf(this.pictures[scene.name])] : []), name, line);
    button.dataset.scene = scene.name;
    this.cards.set(scene, button);
    button.addEventListener("click", () => {
      this.dialog.close();
      this.open(scene);
    });
    return button;
  }

  private pictureOf(address: string): HTMLElement {
    const picture = document.createElement("img");
    picture.src = address;
    picture.alt = "";
    picture.loading = "lazy";
    picture.width = 256;
    picture.height = 160;
    return picture;
  }

  // Marks the scene that is open.
  mark(scene: SceneText): void {
    for (const [one, button] of this.cards) button.setAttribute("aria-pressed", String(one === scene));
  }
}
