import type * as tensorflow from '@tensorflow/tfjs';

export type Tensors = typeof tensorflow;

let ready: Tensors | null = null;
let failure: string | null = null;
let starting: Promise<void> | null = null;

/**
 * Loads TensorFlow.js and starts a backend: the native one if `@tensorflow/tfjs-node` is installed, else WebAssembly on
 * one thread. Takes about a second, once per thread. Never rejects: if no backend starts, `tensors()` throws the
 * reason, and the candidate that needs it reports it.
 */
export function prepareTensors(load: () => Promise<Tensors> = loadTensors): Promise<void> {
  starting ??= load().then(
    (library) => {
      ready = library;
    },
    (error: unknown) => {
      failure = error instanceof Error ? error.message : String(error);
    },
  );
  return starting;
}

/** The library that `prepareTensors` started. Throws if it did not start. */
export function tensors(): Tensors {
  if (ready) return ready;
  throw new Error(
    failure === null
      ? 'TensorFlow.js was not loaded in this thread, so no network can be trained.'
      : `TensorFlow.js did not start (${failure}), so no network can be trained.`,
  );
}

/** Returns the result of `compute` and frees every tensor that it creates. */
export function within<T>(tf: Tensors, compute: () => T): T {
  const out: { value?: T } = {};
  tf.tidy(() => {
    out.value = compute();
  });
  return out.value as T;
}

async function loadTensors(): Promise<Tensors> {
  return (await native()) ?? (await webAssembly());
}

/** The optional native package. Its name is not a literal, so that the type checker need not resolve it. */
async function native(): Promise<Tensors | null> {
  const name: string = '@tensorflow/tfjs-node';
  try {
    const library = exportsOf((await import(name)) as object);
    return (await library.setBackend('tensorflow')) ? library : null;
  } catch {
    return null;
  }
}

async function webAssembly(): Promise<Tensors> {
  const library = exportsOf(await import('@tensorflow/tfjs'));
  await import('@tensorflow/tfjs-backend-wasm');
  if (!(await library.setBackend('wasm'))) throw new Error('its WebAssembly backend could not be initialised');
  return library;
}

/** CommonJS packages arrive as the default export. */
const exportsOf = (module: object): Tensors => ('default' in module ? module.default : module) as Tensors;
