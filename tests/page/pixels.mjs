// pixels.mjs - what a picture shows, told from its pixels.

// The picture of a page as it is drawn at full resolution, rows from the bottom: { width, height, data }. That of
// the variant is the second one of the tour.
export async function pictureOf(page, which = "own") {
  const { width, height, base64 } = await page.evaluate((name) => {
    const { view } = name === "own" ? window.rigor : window.rigor.tour.variant;
    const gl = view.renderer.getContext();
    view.render(1);
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let text = "";
    for (let i = 0; i < pixels.length; i += 0x8000) text += String.fromCharCode(...pixels.subarray(i, i + 0x8000));
    return { width, height, base64: btoa(text) };
  }, which);
  return { width, height, data: Buffer.from(base64, "base64") };
}

// What the screen shows of an element, rows from the top.
export async function screenOf(page, selector) {
  const png = await page.locator(selector).screenshot({ animations: "disabled" });
  const { width, height, base64 } = await page.evaluate(async (file) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(file), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const { width, height } = picture;
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    let text = "";
    for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
    return { width, height, base64: btoa(text) };
  }, png.toString("base64"));
  return { width, height, data: Buffer.from(base64, "base64") };
}

const differs = (a, b, i, by) =>
  Math.abs(a[i] - b[i]) > by || Math.abs(a[i + 1] - b[i + 1]) > by || Math.abs(a[i + 2] - b[i + 2]) > by;

// The pixels that differ between two pictures of one size by more than `by` in some colour, as a part of all.
export function difference(a, b, by = 24) {
  if (a.data.length !== b.data.length) throw new Error(`pictures of ${a.width} x ${a.height} and ${b.width} x ${b.height}`);
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) if (differs(a.data, b.data, i, by)) ++count;
  return (4 * count) / a.data.length;
}

// The part of the pixels for which `is(r, g, b)` holds, within a part of the picture (0 to 1, from below).
export function share({ width, height, data }, is, [x0, y0, x1, y1] = [0, 0, 1, 1]) {
  let [count, all] = [0, 0];
  for (let y = Math.floor(y0 * height); y < Math.floor(y1 * height); ++y)
    for (let x = Math.floor(x0 * width); x < Math.floor(x1 * width); ++x, ++all) {
      const at = 4 * (y * width + x);
      if (is(data[at], data[at + 1], data[at + 2])) ++count;
    }
  return count / all;
}

// The mean colour of a part of the picture.
export function mean(picture, part) {
  const sum = [0, 0, 0];
  let all = 0;
  share(picture, (...color) => {
    ++all;
    color.forEach((c, k) => (sum[k] += c));
    return false;
  }, part);
  return sum.map((c) => c / all);
}

// Strong colours, as bodies have and ground and sky have not.
export const isStrong = (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 60 && Math.max(r, g, b) > 60;

// What one sees of the bodies: the box about the strong colours, in parts of the picture; null when there are none.
export function boxOf({ width, height, data }) {
  let box = null;
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const at = 4 * (y * width + x);
      if (!isStrong(data[at], data[at + 1], data[at + 2])) continue;
      box ??= [1, 1, 0, 0];
      box = [Math.min(box[0], x / width), Math.min(box[1], y / height), Math.max(box[2], x / width), Math.max(box[3], y / height)];
    }
  return box;
}

// The box about the pixels that differ between two pictures of one size, in parts of them; null when there are none.
export function changedBox(a, b, by = 24) {
  let box = null;
  for (let i = 0; i < a.data.length; i += 4) {
    if (!differs(a.data, b.data, i, by)) continue;
    const [x, y] = [((i / 4) % a.width) / a.width, Math.floor(i / 4 / a.width) / a.height];
    box = box ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)] : [x, y, x, y];
  }
  return box;
}
