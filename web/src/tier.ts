// tier.ts - which of the two painters a machine gets.

export type Tier = "plain" | "fine";

// Names of drivers that draw by the processor.
const BY_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render|microsoft basic|paravirtual/i;

export const tierOf = (renderer: string): Tier => (BY_PROCESSOR.test(renderer) ? "plain" : "fine");

// The name that the driver gives; browsers that hide it say so in theirs.
export function rendererName(gl: WebGL2RenderingContext): string {
  const details = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(details ? details.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}
