// worker.ts - the simulation in a thread of its own.
import type { Port } from "./protocol";
import { serve } from "./simulator";

serve(self as unknown as Port);
