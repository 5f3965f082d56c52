/** The time as it passes, for what counts it on the page: one timer for all, and none while nobody looks. */

import { createSubscriber } from "svelte/reactivity";

const OFTEN = 100;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, OFTEN);
  return () => clearInterval(timer);
});

/** Milliseconds on a clock that nobody sets. */
export function passing(): number {
  subscribe();
  return performance.now();
}
