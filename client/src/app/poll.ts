/** Do something now and every so often while somebody looks at the page; returns how to stop. */
export function regularly(what: () => Promise<unknown>, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let running = false;

  function turn(): void {
    clearTimeout(timer);
    if (running || stopped || document.visibilityState === "hidden") return;
    running = true;
    void what()
      .catch(() => undefined) // the next time may be better
      .then(next);
  }

  function next(): void {
    running = false;
    if (!stopped) timer = setTimeout(turn, everyMs);
  }

  document.addEventListener("visibilitychange", turn);
  turn();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", turn);
  };
}
