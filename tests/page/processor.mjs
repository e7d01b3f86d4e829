// processor.mjs - what the browser that a program has started takes of the processor.
import { readFileSync, readdirSync } from "node:fs";

const TICK = 0.01; // [s] unit of times in /proc

// A process or thread in /proc: name, parent, and [s] of the processor, with that of ended children when `all`.
function readStat(path, all) {
  const text = readFileSync(path, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const times = fields.slice(11, all ? 15 : 13).map(Number); // user and system
  const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return { name, parent: Number(fields[1]), time: times.reduce((a, b) => a + b) * TICK };
}

// Processes that this program has started, the browser that is, with their times.
function ourProcesses() {
  const processes = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      processes.set(Number(id), readStat(`/proc/${id}/stat`, true));
    } catch {
      continue; // it has ended
    }
  }
  const ours = (id) => id === process.pid || (processes.has(id) && ours(processes.get(id).parent));
  return [...processes].filter(([id]) => id !== process.pid && ours(id));
}

// [s] of the processor in all of them.
export const processorTime = () => ourProcesses().reduce((sum, [, { time }]) => sum + time, 0);

// [s] in the worker of the page, which steps.
export function workerTime() {
  let sum = 0;
  for (const [id] of ourProcesses())
    for (const thread of readdirSync(`/proc/${id}/task`)) {
      const { name, time } = readStat(`/proc/${id}/task/${thread}/stat`, false);
      if (name.startsWith("DedicatedWorker")) sum += time;
    }
  return sum;
}
