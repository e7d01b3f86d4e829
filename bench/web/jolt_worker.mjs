// jolt_worker.mjs - what a worker of Jolt's build for threads runs. The package's own check whether
// it is in a worker is wrong under Node (version 1.1.0): it asks a promise, not its value.
import Jolt from "jolt-physics/wasm-multithread";

Jolt();
