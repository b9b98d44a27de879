import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { traceTemporal } from '../../infra/drivers/temporal/observed.ts';
import { startOtlp, type Otlp } from '../../infra/observe/otlp.ts';
import { traced } from '../../infra/observe/trace.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { stagedFit } from './support/fits.ts';
import { setUpWorld, type World } from './support/world.ts';

const memory = new InMemorySpanExporter();
let otlp: Otlp;
let world: World;
let account: string;

beforeAll(async () => {
  otlp = startOtlp({ service: 'eeg-test', exporter: memory });
  await traceTemporal(otlp);
});
setUpWorld(connectDevServer, async (made) => {
  world = made;
  account = await world.account(100_000_000n);
});
afterAll(async () => {
  await traceTemporal(null);
  await otlp.stop();
});

it('a create is one trace: the request, its workflows, their activities and their threads', async () => {
  const request = await stagedFit(world, account, { key: 'traced' });
  const answer = await traced('asked', {}, () => world.jobs.runFit(request));
  expect(answer.status).toBe(201);
  const names = async (): Promise<string[]> => {
    await otlp.processor.forceFlush();
    const spans = memory.getFinishedSpans();
    const trace = spans.find(({ name }) => name === 'asked')!.spanContext().traceId;
    return spans.filter((span) => span.spanContext().traceId === trace).map(({ name }) => name);
  };
  const wanted = ['RunWorkflow:fitTaskModel', 'RunActivity:fitModel', 'RunActivity:readLifecycle'];
  await expect.poll(names, { timeout: 60_000 }).toEqual(expect.arrayContaining(wanted));
  const all = await names();
  expect(all.some((name) => name.startsWith('thread '))).toBe(true);
  const spans = memory.getFinishedSpans();
  const task = spans.find(({ name }) => name.startsWith('thread '))!;
  const parent = spans.find((span) => span.spanContext().spanId === task.parentSpanId) as ReadableSpan;
  expect(parent.name).toMatch(/^RunActivity:/);
  expect(JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status]))).not.toMatch(
    /canary|left|right|message/,
  );
});
