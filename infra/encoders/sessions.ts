import * as ort from 'onnxruntime-node';
import { LRUCache } from 'lru-cache';
import { encoderAt } from '../../ml/encoders/index.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import { readWeights, type Weights } from '../../ml/weights/index.ts';
import { readWeightsFile } from '../weights/read-weights-file.ts';
import { keyOf, type EncoderWeights } from './encoder-weights.ts';

export interface SessionOptions {
  /** Threads that one graph may use. */
  readonly threads: number;
  /** Limit of the bytes of cached graphs. */
  readonly mostBytes: number;
}

type Tensors = Readonly<Record<string, GraphTensor>>;

/** Outputs of one run of a graph, and its seconds without the wait in the queue. */
export interface EncodeAnswer {
  readonly outputs: Tensors;
  readonly seconds: number;
}

interface Kept {
  readonly bytes: number;
  readonly graphs: ReadonlyMap<string, ort.InferenceSession>;
}

/**
 * A cache of onnxruntime sessions, one for each graph of an encoder. The first use of an encoder hashes the published
 * file again, reads it without executing any of its content, and builds the graphs. The least recently used sessions
 * are released when the cache is full.
 */
export function createSessions({ threads, mostBytes }: SessionOptions) {
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.min(bytes, mostBytes),
    dispose: ({ graphs }) => void release(graphs),
  });

  async function load(encoder: EncoderWeights): Promise<Kept> {
    const weights = readEncoder(encoder);
    const graphs = new Map<string, ort.InferenceSession>();
    let bytes = 0;
    try {
      for (const [name, build] of Object.entries(encoderAt(encoder.id, encoder.version).graphs)) {
        const model = build(weights);
        bytes += model.byteLength;
        graphs.set(name, await ort.InferenceSession.create(model, optionsFor(threads)));
      }
    } catch (error) {
      await release(graphs);
      throw error;
    }
    return { bytes, graphs };
  }

  return {
    /**
     * Loads an encoder unless it is loaded; returns the bytes of its graphs. Throws if the file does not have the hash.
     */
    async load(encoder: EncoderWeights): Promise<number> {
      const key = keyOf(encoder);
      const known = kept.get(key) ?? (await load(encoder));
      kept.set(key, known);
      return known.bytes;
    },
    /** Runs a graph of an encoder, and loads the encoder first if necessary. */
    async run(encoder: EncoderWeights, graph: string, inputs: Tensors): Promise<Tensors> {
      await this.load(encoder);
      const session = kept.get(keyOf(encoder))?.graphs.get(graph);
      if (!session) throw new Error(`The encoder ${encoder.id} has no graph "${graph}".`);
      const feeds = Object.entries(inputs).map(([name, { dims, data }]) => [
        name,
        new ort.Tensor('float32', data, dims),
      ]);
      const outputs = await session.run(Object.fromEntries(feeds) as Record<string, ort.Tensor>);
      return Object.fromEntries(
        Object.entries(outputs).map(([name, { dims, data }]) => [name, { dims, data: data as Float32Array }]),
      );
    },
  };
}

const release = (graphs: Kept['graphs']): Promise<unknown> =>
  Promise.allSettled([...graphs.values()].map((session) => session.release()));

/** No memory arena: onnxruntime would otherwise keep the memory of the largest batch. */
const optionsFor = (threads: number): ort.InferenceSession.SessionOptions => ({
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  enableCpuMemArena: false,
});

function readEncoder({ id, hash, path }: EncoderWeights): Weights {
  const { member, under } = modelOf(id).file;
  const bytes = readWeightsFile(path, hash);
  return readWeights(bytes, { file: path, ...(member && { member }), ...(under && { under }) });
}
