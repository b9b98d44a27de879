import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { planFit, type Plan } from '../../api/intake/plan-fit.ts';
import { fitCost, setsFitted, trialsFitted } from '../../ml/train/index.ts';
import type { MeasuredFit, Shape } from '../support/fit-cost-process.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../support/fit-cost-process.ts', import.meta.url));
const motor = 'imagined movement: left hand or right hand';
const erp = 'P300 oddball: target or non-target';

const shapes: readonly Shape[] = [
  { description: motor, channels: 8, trials: 100, samples: 256 },
  { description: erp, channels: 16, trials: 300, samples: 200 },
  { description: motor, channels: 64, trials: 80, samples: 200 },
];
const longShapes: readonly Shape[] = [
  { description: motor, channels: 22, trials: 288, samples: 512 },
  { description: motor, channels: 64, trials: 240, samples: 256 },
  { description: erp, channels: 16, trials: 1_000, samples: 200 },
];

describe.concurrent('the cost of a fit', () => {
  it.each(process.env['TEST_LONG'] === '1' ? [...shapes, ...longShapes] : shapes)(
    'is estimated before it begins: $trials trials of $channels channels',
    async (shape) => {
      const { stdout } = await run(process.execPath, [program, JSON.stringify(shape)]);
      const { estimate, bytes, seconds } = JSON.parse(stdout) as MeasuredFit;
      const estimated = estimate.bytes + 2 * estimate.threadBytes;
      expect(bytes).toBeLessThan(estimated);
      expect(estimated).toBeLessThan(3 * bytes);
      // Processor time depends on the machine: within a factor of four either way.
      expect(seconds).toBeLessThan(4 * estimate.seconds);
      expect(estimate.seconds).toBeLessThan(4 * seconds);
    },
  );

  it('never reaches the timeout of a fit in Temporal, whatever is sent', () => {
    const largest = [1, 10, 100, 1_000, 10_000, 100_000].map((values) =>
      fitCost({ trials: 250_000, sets: { a: values, b: values, c: values }, candidates: 40 }),
    );
    for (const { seconds } of largest) expect(seconds).toBeLessThan(5 * 60);
  });
});

const planOf = (channels: number, trials: number): Plan =>
  planFit({
    description: motor,
    trialsPerClass: { 'left hand': trials / 2, 'right hand': trials / 2 },
    channelNames: Array.from({ length: channels }, (_, c) => `E${c + 1}`),
    sourceRateHz: 256,
    samples: 256,
    seconds: 1,
    sessions: 1,
    storedFeaturesOnly: true,
    missingChannels: 'nearest',
  });

describe('what a fit reads', () => {
  it('is all of an immediate create, of however many channels', () => {
    expect(planOf(64, 244).cost.trials).toBe(244);
    expect(planOf(64, 244).featureSets).toContain('fbcov');
    expect(planOf(256, 60).cost.trials).toBe(60);
  });

  it('is most of a study of many channels, and the methods that are left out for it say why', () => {
    const { cost, skipped, candidates } = planOf(64, 10_000);
    expect(cost.trials).toBe(1_143);
    expect(candidates.length).toBeGreaterThan(5);
    expect(skipped.find(({ id }) => id === 'filter-bank-tangent')!.reason).toMatch(
      /with it the fit reads 504 of the 10,000 trials, without it 1,143$/,
    );
    expect(planOf(8, 100_000).cost.trials).toBe(16_384);
  });

  const of64 = { fbcov: 18_720, 'acm/8-32': 8_256, logspectrum: 2_880, 'cov/8-32': 2_080, 'cov/4-40': 2_080 };

  it('leaves out the widest features where the fit reads many more trials without them', () => {
    expect(trialsFitted(10_000, of64)).toBe(504);
    const fitted = setsFitted(10_000, of64);
    expect(Object.keys(fitted)).toEqual(['acm/8-32', 'logspectrum', 'cov/8-32', 'cov/4-40']);
    expect(trialsFitted(10_000, fitted)).toBe(1_143);
  });

  it('leaves out nothing if all trials fit, or if hardly more trials would fit', () => {
    expect(setsFitted(500, of64)).toBe(of64);
    expect(setsFitted(700, of64)).toBe(of64);
    expect(setsFitted(200_000, { 'cov/8-32': 36, logpower: 56 })).toEqual({ 'cov/8-32': 36, logpower: 56 });
  });
});
