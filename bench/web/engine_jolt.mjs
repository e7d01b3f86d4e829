// engine_jolt.mjs - Jolt at its defaults: 10 velocity and 2 position iterations, single precision.
//
// Its usual build has no SIMD. The build for several threads has; here its pool has no workers, so
// that the calling thread does all the work.
import threads from "node:worker_threads";
import { POSE } from "./scenes.mjs";

const FIXED = 0; // layers of objects
const MOVING = 1;
const LAYERS = 2;

function settingsOf(jolt) {
  const settings = new jolt.JoltSettings(); // room for 10240 bodies and as many pairs in contact
  settings.mMaxWorkerThreads = 0;
  const pairs = new jolt.ObjectLayerPairFilterTable(LAYERS);
  pairs.EnableCollision(FIXED, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(LAYERS, LAYERS);
  for (const layer of [FIXED, MOVING])
    broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter =
    new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, LAYERS, pairs, LAYERS);
  return settings;
}

function addBody(jolt, bodies, body, mu) {
  const vec = (v) => new jolt.Vec3(...v);
  const shape = body.sphere ? new jolt.SphereShape(body.radius) : new jolt.BoxShape(vec(body.half));
  if (body.dynamic) shape.SetDensity(body.density);
  const [w, x, y, z] = body.orientation;
  const settings = new jolt.BodyCreationSettings(
    shape,
    new jolt.RVec3(...body.position),
    new jolt.Quat(x, y, z, w),
    body.dynamic ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static,
    body.dynamic ? MOVING : FIXED,
  );
  settings.mFriction = mu;
  settings.mAllowSleeping = false;
  settings.mLinearVelocity = vec(body.linear);
  settings.mAngularVelocity = vec(body.angular);
  const made = bodies.CreateBody(settings);
  jolt.destroy(settings);
  bodies.AddBody(made.GetID(), jolt.EActivation_Activate);
  return made;
}

function makeWorld(jolt, scene) {
  const settings = settingsOf(jolt);
  const world = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  const system = world.GetPhysicsSystem();
  system.SetGravity(new jolt.Vec3(...scene.gravity));
  const bodies = scene.bodies.map((body) => addBody(jolt, system.GetBodyInterface(), body, scene.mu));
  return {
    step: () => world.Step(scene.step, 1),
    poses(out) {
      bodies.forEach((body, i) => {
        const p = body.GetPosition();
        const q = body.GetRotation();
        out.set(
          [p.GetX(), p.GetY(), p.GetZ(), q.GetW(), q.GetX(), q.GetY(), q.GetZ()], i * POSE);
      });
    },
    contacts: () => null,
    free: () => jolt.destroy(world),
  };
}

// The build for threads starts workers when it is loaded, though here they get no work.
async function loadThreaded() {
  const { Worker } = threads;
  const script = new URL("jolt_worker.mjs", import.meta.url);
  threads.Worker = class extends Worker {
    constructor(_url, options) {
      super(script, options);
    }
  };
  const awake = setInterval(() => {}, 1000); // workers alone do not keep Node from ending
  try {
    const { default: init } = await import("jolt-physics/wasm-multithread");
    return await init();
  } finally {
    clearInterval(awake);
    threads.Worker = Worker;
  }
}

export const JOLT = {
  name: "jolt",
  family: "jolt",
  settings: "jolt-physics, 10 + 2 iterations, no SIMD",
  async start() {
    const { default: init } = await import("jolt-physics/wasm");
    const jolt = await init();
    return (scene) => makeWorld(jolt, scene);
  },
};

export const JOLT_SIMD = {
  name: "jolt-simd",
  family: "jolt",
  settings: "jolt-physics, its build for threads, which has SIMD, here on one",
  async start() {
    const jolt = await loadThreaded();
    return (scene) => makeWorld(jolt, scene);
  },
};
