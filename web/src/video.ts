// video.ts - films the canvas, where the browser can.

const RATE = 30; // [1/s] frames
const PART = 250; // [ms] of film that comes at once
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export class Video {
  private recorder: MediaRecorder | null = null;
  private parts: Blob[] = [];

  constructor(private canvas: HTMLCanvasElement) {}

  // Why this browser cannot; empty when it can.
  reason(): string {
    if (typeof this.canvas.captureStream !== "function") return "this browser cannot film a canvas";
    if (typeof MediaRecorder === "undefined") return "this browser cannot record video";
    return KINDS.some((kind) => MediaRecorder.isTypeSupported(kind)) ? "" : "this browser knows no format of video";
  }

  get running(): boolean {
    return this.recorder !== null;
  }

  // [bytes] that were filmed so far.
  get size(): number {
    return this.parts.reduce((sum, part) => sum + part.size, 0);
  }

  start(): void {
    const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    this.recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType, videoBitsPerSecond: 8e6 });
    this.parts = [];
    this.recorder.addEventListener("dataavailable", (event) => this.parts.push(event.data));
    this.recorder.start(PART);
  }

  // The film since start.
  async stop(): Promise<Blob> {
    const recorder = this.recorder!;
    const ended = new Promise<void>((done) => recorder.addEventListener("stop", () => done()));
    recorder.stop();
    await ended;
    for (const track of recorder.stream.getTracks()) track.stop();
    this.recorder = null;
    return new Blob(this.parts, { type: recorder.mimeType });
  }
}

export const endingOf = (film: Blob): string => (film.type.includes("mp4") ? "mp4" : "webm");
