/** Does something once nothing else was asked for a moment; what it gives back calls it off. */
export function soon(milliseconds: number, work: (signal: AbortSignal) => Promise<void>): () => void {
  const ended = new AbortController();
  const timer = setTimeout(() => void work(ended.signal), milliseconds);
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
