// soon.ts - calls back as soon as what has come in meanwhile is handled; timers would wait 4 ms.

// What is asked for is done once, in its order.
export function makeSoon(): (action: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const actions: (() => void)[] = [];
  port1.onmessage = () => actions.shift()?.();
  return (action) => {
    actions.push(action);
    port2.postMessage(null);
  };
}
