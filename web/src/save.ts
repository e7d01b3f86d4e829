// save.ts - files that the page gives: a picture, a film, or all that was seen as glTF.
import { writeGltf } from "./gltf";
import type { Poses } from "./protocol";
import { Video, endingOf } from "./video";
import type { View } from "./view";

const KEPT = 60e3; // [ms] that the browser has to fetch a file, once it is asked to

export class Saver {
  readonly video: Video;
  name = ""; // of the files, without its ending

  constructor(private view: View) {
    this.video = new Video(view.renderer.domElement);
  }

  private save(blob: Blob, ending: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.name}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  }

  async picture(ratio: number): Promise<void> {
    this.view.render(ratio);
    const blob = await new Promise<Blob | null>((done) => this.view.renderer.domElement.toBlob(done));
    if (!blob) throw new Error("the browser gives no picture");
    this.save(blob, "png");
  }

  // Starts a film, or ends and saves it.
  async film(): Promise<void> {
    if (!this.video.running) return this.video.start();
    const film = await this.video.stop();
    this.save(film, endingOf(film));
  }

  async gltf(title: string, frames: Poses): Promise<ArrayBuffer> {
    const file = await writeGltf(title, this.view.looks(), frames, this.view.flat);
    this.save(new Blob([file], { type: "model/gltf-binary" }), "glb");
    return file;
  }
}
