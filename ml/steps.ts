/** A computation that its caller may leave for a while after each `yield`, to go on later. */
export type Steps<T> = Generator<void, T, void>;

/** Final result of a function: the result of its steps, or its (resolved) return value. */
export type EndOf<R> = EndOfValue<Awaited<R>>;
type EndOfValue<V> = V extends Steps<infer T> ? T : V;

export const isSteps = (value: unknown): value is Steps<unknown> =>
  Object.prototype.toString.call(value) === '[object Generator]';

/** The steps with their result and their duration in seconds, without the pauses between them. */
export function* timed<T>(steps: Steps<T>): Steps<{ readonly value: T; readonly seconds: number }> {
  for (let seconds = 0; ;) {
    const began = performance.now();
    const { done, value } = steps.next();
    seconds += (performance.now() - began) / 1000;
    if (done) return { value, seconds };
    yield;
  }
}

/** Takes all steps at once. */
export function toEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
