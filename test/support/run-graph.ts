import * as ort from 'onnxruntime-node';
import type { GraphTensor } from '../../ml/encoders/types.ts';

type Tensors = Readonly<Record<string, GraphTensor>>;

/** Runs one graph in this process on the CPU, with one thread unless said otherwise. */
export async function runnerOf(bytes: Uint8Array, threads = 1): Promise<(inputs: Tensors) => Promise<Tensors>> {
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  return async (inputs) => {
    const feeds = Object.entries(inputs).map(([name, { dims, data }]) => [name, new ort.Tensor('float32', data, dims)]);
    const outputs = await session.run(Object.fromEntries(feeds));
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { dims, data }]) => [name, { dims, data: data as Float32Array }]),
    );
  };
}
