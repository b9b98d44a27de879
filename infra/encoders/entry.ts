import { workerData } from 'node:worker_threads';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { serveTasks } from '../drivers/threads/serve.ts';
import { moving } from '../drivers/threads/moving.ts';
import type { EncoderWeights } from './encoder-weights.ts';
import { createSessions, type EncodeAnswer, type SessionOptions } from './sessions.ts';

const sessions = createSessions(workerData as SessionOptions);

type Tensors = Readonly<Record<string, GraphTensor>>;

/** Tasks of the encoder thread. */
const tasks = {
  load: ({ encoder }: { encoder: EncoderWeights }): Promise<number> => sessions.load(encoder),

  async run({
    encoder,
    graph,
    inputs,
  }: {
    encoder: EncoderWeights;
    graph: string;
    inputs: Tensors;
  }): Promise<EncodeAnswer> {
    await sessions.load(encoder);
    const start = performance.now();
    const outputs = await sessions.run(encoder, graph, inputs);
    return moving(
      { outputs, seconds: (performance.now() - start) / 1000 },
      Object.values(outputs).map(({ data }) => data.buffer as ArrayBuffer),
    );
  },
};

export type EncoderTasks = typeof tasks;

serveTasks(tasks);
