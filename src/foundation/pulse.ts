/**
 * Signs of life of a thread that computes without a break, read by its watch (watch.ts): about once a second, and before the
 * first call of a function of somebody's world after anything else. So one that ends or hangs in a world's call has said which.
 * A message for each call would be told more often than a page can read; the function is enough, since a run is the same each time.
 */
type Listen = (call: string | null) => void;

const EVERY = 1000;

let listen: Listen | null = null;
let told: string | null = null;
let last = Number.NEGATIVE_INFINITY;

/** Sets the listener to the signs of this thread. */
export function onPulse(listener: Listen | null): void {
  listen = listener;
  told = null;
}

/** A sign of life, which costs next to nothing. `call`: the function of a world that begins now; null for the lab's own work. */
export function pulse(call: string | null = null): void {
  if (listen === null) return;
  const now = performance.now();
  if (call === told && now - last < EVERY) return;
  told = call;
  last = now;
  listen(call);
}
