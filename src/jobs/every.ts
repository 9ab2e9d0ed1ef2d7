/** Does a piece of work every so often, never twice at once, and without keeping the process alive. Answers how to stop. */
export function every(ms: number, work: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    void work()
      .catch(failed)
      .finally(() => {
        running = false
      })
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}
