/** The same function, whose later calls do nothing. */
export function once<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    work(...args);
  };
}
