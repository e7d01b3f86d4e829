// engine_mujoco.mjs - MuJoCo with its default solver (Newton), and with conjugate gradients and 20
// iterations, the setting for many bodies. Double precision.
import { POSE } from "./scenes.mjs";

const CG_ITERATIONS = 20;

function modelText(scene, option) {
  const row = (values) => values.join(" ");
  const bodies = scene.bodies.map((body) => {
    const shape = body.sphere
      ? `type="sphere" size="${body.radius}"`
      : `type="box" size="${row(body.half)}"`;
    const joint = body.dynamic ? "<freejoint/>" : "";
    return (
      `<body pos="${row(body.position)}" quat="${row(body.orientation)}">${joint}` +
      `<geom ${shape} density="${body.density}"/></body>`
    );
  });
  // Of the three coefficients only the first acts: torsion and rolling need more dimensions than
  // the default three.
  return `<mujoco>
    <option timestep="${scene.step}" gravity="${row(scene.gravity)}" ${option}/>
    <default><geom friction="${scene.mu} 0.005 0.0001"/></default>
    <worldbody>${bodies.join("\n")}</worldbody>
  </mujoco>`;
}

function makeWorld(mujoco, scene, option) {
  const model = mujoco.MjModel.from_xml_string(modelText(scene, option));
  const data = new mujoco.MjData(model);
  // Moving bodies have seven coordinates and six velocities each, in the order of the model.
  const places = [];
  for (const body of scene.bodies) places.push(body.dynamic ? places.filter((n) => n >= 0).length : -1);
  scene.bodies.forEach((body, i) => {
    if (places[i] >= 0) data.qvel.set([...body.linear, ...body.angular], 6 * places[i]);
  });
  return {
    step: () => mujoco.mj_step(model, data),
    poses(out) {
      const all = data.qpos;
      scene.bodies.forEach((body, i) => {
        const at = places[i] * POSE;
        out.set(
          places[i] < 0 ? [...body.position, ...body.orientation] : all.subarray(at, at + POSE),
          i * POSE,
        );
      });
    },
    contacts: () => data.ncon,
    free() {
      data.delete();
      model.delete();
    },
  };
}

function engine(name, settings, option) {
  return {
    name,
    family: "mujoco",
    settings,
    async start() {
      const { default: load } = await import("@mujoco/mujoco");
      const mujoco = await load();
      return (scene) => makeWorld(mujoco, scene, option);
    },
  };
}

export const MUJOCO = engine("mujoco", "@mujoco/mujoco, default solver (Newton, 100 iterations)", "");
export const MUJOCO_CG = engine(
  "mujoco-cg",
  `@mujoco/mujoco, CG, ${CG_ITERATIONS} iterations`,
  `solver="CG" iterations="${CG_ITERATIONS}"`,
);
