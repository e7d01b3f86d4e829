// engine_rapier.mjs - Rapier at its defaults: 4 solver iterations, single precision, SIMD.
import "./bundled.mjs";
import { POSE } from "./scenes.mjs";

function makeWorld(rapier, scene) {
  const [x, y, z] = scene.gravity;
  const world = new rapier.World({ x, y, z });
  world.timestep = scene.step;
  const bodies = scene.bodies.map((body) => {
    const [w, i, j, k] = body.orientation;
    const desc = body.dynamic ? rapier.RigidBodyDesc.dynamic() : rapier.RigidBodyDesc.fixed();
    desc
      .setTranslation(...body.position)
      .setRotation({ w, x: i, y: j, z: k })
      .setLinvel(...body.linear)
      .setAngvel({ x: body.angular[0], y: body.angular[1], z: body.angular[2] })
      .setCanSleep(false);
    const made = world.createRigidBody(desc);
    const shape = body.sphere
      ? rapier.ColliderDesc.ball(body.radius)
      : rapier.ColliderDesc.cuboid(...body.half);
    world.createCollider(shape.setDensity(body.density).setFriction(scene.mu), made);
    return made;
  });
  return {
    step: () => world.step(),
    poses(out) {
      bodies.forEach((body, i) => {
        const p = body.translation();
        const q = body.rotation();
        out.set([p.x, p.y, p.z, q.w, q.x, q.y, q.z], i * POSE);
      });
    },
    contacts: () => null,
    free: () => world.free(),
  };
}

export const RAPIER = {
  name: "rapier",
  family: "rapier",
  settings: "@dimforge/rapier3d-simd, 4 solver iterations",
  async start() {
    const { default: rapier } = await import("@dimforge/rapier3d-simd/rapier.js");
    return (scene) => makeWorld(rapier, scene);
  },
};
