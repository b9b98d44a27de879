import { describe, expect, it } from 'vitest';
import { intake } from '../../api/intake/intake.ts';
import { planFit } from '../../api/intake/plan-fit.ts';
import { bytesOf, createBody } from '../support/requests.ts';

const read = (parameters: unknown, what: 'create' | 'batch' = 'create') => {
  const { description: _description, ...batch } = createBody({ parameters });
  const body = what === 'create' ? createBody({ parameters }) : batch;
  return intake(bytesOf(body), what) as any;
};

describe('parameters.baseline_seconds', () => {
  it('is kept for the fit', () => {
    expect(read({ baseline_seconds: 0.2 }).envelope.parameters).toEqual({ baseline_seconds: 0.2 });
    expect(read({ baseline_seconds: null }).ok).toBe(true);
  });

  it.each([
    [{ baseline_seconds: 0.8 }, /is 0.8, and each trial of x lasts 0.8 s.*shorter than the trial/],
    [{ baseline_seconds: 0.01 }, /0.1/],
    [{ baseline_seconds: 'half' }, /half/],
  ])('%j is refused with the numbers', (parameters, message) => {
    const { ok, error } = read(parameters);
    expect([ok, error.code, error.field]).toEqual([false, 'INVALID_REQUEST', 'parameters.baseline_seconds']);
    expect(error.message).toMatch(message);
  });

  it('belongs to a create; an unknown parameter is named, and the others stay', () => {
    expect(read({ baseline_seconds: 0.2 }, 'batch').error.alternatives).toEqual([{ parameters: {} }]);
    const { error } = read({ baseline_seconds: 0.2, depth: 1 });
    expect(error.message).toContain(
      'parameters.depth: is no parameter of this request, whose parameters are `priors` and',
    );
    expect(error.alternatives).toEqual([{ parameters: { baseline_seconds: 0.2 } }]);
    expect(read({ priors: 'as_sent' }, 'batch').error.message).toContain('takes none: it goes with the create');
  });

  it('gets a fix for a misspelt name, and for a place beside the other fields', () => {
    expect(read({ prior: 'as_sent', baseline_seconds: 0.2 }).error.alternatives).toEqual([
      { parameters: { baseline_seconds: 0.2, priors: 'as_sent' } },
    ]);
    expect(read({ prior: 'as_sent', priors: 'balanced' }).error.alternatives).toEqual([]);
    const { error } = intake(bytesOf(createBody({ priors: 'as_sent' })), 'create') as any;
    expect(error.message).toContain('one of its `parameters`');
    expect(error.alternatives).toEqual([{ priors: null, parameters: { priors: 'as_sent' } }]);
  });

  it('of no seconds is none', () => {
    expect(read({ baseline_seconds: 0 }).error.alternatives).toEqual([{ parameters: { baseline_seconds: null } }]);
    expect(read({ priors: null }).ok).toBe(true);
  });

  it('extracts the features of the baseline, also for the batches of a deferred fit', () => {
    const shape = {
      description: 'motor imagery: left or right hand',
      trialsPerClass: { left: 20, right: 20 },
      channelNames: ['C3', 'Cz', 'C4', 'Fp1'],
      sourceRateHz: 250,
      samples: 512,
      seconds: 2,
      sessions: 1,
      storedFeaturesOnly: true,
      missingChannels: 'nearest' as const,
    };
    const { featureSets } = planFit({ ...shape, baselineSeconds: 0.5 });
    expect(featureSets).toEqual(expect.arrayContaining(['eyes', 'muscles', 'baseline/0.5']));
    expect(planFit({ ...shape, stored: featureSets }).featureSets).toContain('baseline/0.5');
    expect(planFit(shape).featureSets).not.toContain('baseline/0.5');
  });
});

describe.each(['create', 'batch', 'predict'] as const)('unknown parameters: %s', (what) => {
  const refused = (count: number) => {
    const parameters = Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    const { description: _description, labels, ...signal } = createBody({ parameters });
    const bodies = { create: createBody({ parameters }), batch: { ...signal, labels }, predict: signal };
    const bytes = bytesOf(bodies[what]);
    const start = process.cpuUsage();
    const { ok, error } = intake(bytes, what) as any;
    const { user, system } = process.cpuUsage(start);
    return { ok, error, cost: user + system };
  };

  it('are refused at a cost in proportion to their number, not to its square, by an answer of bounded size', () => {
    const few = Array.from({ length: 5 }, () => refused(5_000));
    const many = Array.from({ length: 3 }, () => refused(50_000));
    const [{ ok, error }] = many as [ReturnType<typeof refused>];
    expect([ok, error.code]).toEqual([false, 'INVALID_REQUEST']);
    expect(JSON.stringify(error).length).toBeLessThan(1_048_576);
    const [less, more] = [few, many].map((runs) => Math.min(...runs.map(({ cost }) => cost)));
    // Ten times as many cost ten times as much; to the square it would be a hundred times.
    expect(more! / less!).toBeLessThan(50);
  });
});
