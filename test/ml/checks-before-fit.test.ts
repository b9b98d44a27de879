import { describe, expect, it } from 'vitest';
import { heldOutWarnings } from '../../ml/checks/held-out.ts';
import { checkTrials } from '../../ml/checks/index.ts';
import { changed, finding, found, labels, sample, size } from './checked-sample.ts';

describe('the checks of sessions, blocks and remaining trials of each class', () => {
  it('find sessions that hold one class each', () => {
    const sessions = labels.map((label) => `day of ${label}`);
    expect(finding('sessions_and_classes', sample.trials, { sessions })?.message).toContain(
      'Every session holds one class only',
    );
    const mixed = labels.map((_, t) => String(t < 10));
    expect(finding('sessions_and_classes', sample.trials, { sessions: mixed })).toBeUndefined();
    expect(finding('sessions_and_classes', sample.trials, { sessions, whole: false })).toBeUndefined();
  });

  it('say before a fit what its report says of sessions that are small, or that cannot be held out', () => {
    const small = labels.map((_, t) => (t === 0 ? 'a' : t < 10 ? 'b' : 'c'));
    expect(finding('held_out_sessions', sample.trials, { sessions: small })?.message).toBe(
      '1 of 3 sessions hold fewer than 5 trials (a): they are held out together with others.',
    );
    const single = labels.map((label) => `day of ${label}`);
    expect(finding('held_out_sessions', sample.trials, { sessions: single })?.message).toContain('cannot be held out');
    expect(finding('held_out_sessions', sample.trials, { sessions: labels.map(() => 'a') })).toBeUndefined();
    expect(finding('held_out_sessions', sample.trials, { sessions: small, whole: false })).toBeUndefined();
  });

  it('plan the folds once for one request, however many of them read the plan', () => {
    const checked = { trials: sample.trials, labels, sessions: labels.map((_, t) => String(t < 10)), whole: true };
    expect(heldOutWarnings(checked)).toBe(heldOutWarnings(checked));
    expect(heldOutWarnings({ ...checked })).not.toBe(heldOutWarnings(checked));
  });

  it('say before a fit what its report says of labels in blocks, without sessions', () => {
    const inBlocks = (blocks: number, trials = sample.trials) =>
      finding('label_order', trials, { labels: labels.map((_, t) => `c${Math.floor((t * blocks) / 20) % 2}`) })
        ?.message;
    expect(inBlocks(2)).toMatch(/come in 2 blocks \(c0: 1, c1: 1\).*Neither a corrected score nor a p-value is given/);
    expect(inBlocks(4)).toMatch(/come in 4 blocks .*whole blocks are held out/);
    expect(inBlocks(2, { ...sample.trials, flat: [0, 1, 2] })).toContain('about 9 runs');
    expect(finding('label_order', sample.trials)).toBeUndefined();
    expect(finding('label_order', sample.trials, { labels: labels.toSorted(), whole: false })).toBeUndefined();
    const sessions = labels.map((_, t) => String(t < 10));
    expect(finding('label_order', sample.trials, { labels: labels.toSorted(), sessions })).toBeUndefined();
  });

  it('say that a fit with too few remaining trials will fail, and offer no removal', () => {
    const flat = (rows: (trial: number) => boolean) => changed((value, trial) => (rows(trial) ? 0 : value));
    const every = finding(
      'flat_trials',
      flat(() => true),
    );
    expect(every).toMatchObject({ change: null, remove: null });
    expect(every?.message).toContain('The fit will fail: without them a class is left with 0 of the 5 trials');
    const some = finding(
      'flat_trials',
      flat((trial) => trial < 2),
    );
    expect(some).toMatchObject({ remove: { trials: [0, 1] } });
    expect(
      finding(
        'flat_trials',
        flat(() => true),
        { whole: false },
      )?.message,
    ).toContain('The fit leaves flat trials out');
  });

  it('say so if artefacts leave too few trials, and name no trials whose removal would fail the fit', () => {
    const spoilt = (count: number, times: number) =>
      found(changed((value, t) => (t % 2 === 0 && t < 2 * count ? times * value : value))).filter(({ check }) =>
        /flat|artefacts/.test(check),
      );
    const drowned = changed((value, t) => (t === 0 ? 200 * value : t % 2 === 0 && t < 12 ? 0 : value));
    const told = found(drowned).filter(({ check }) => /flat|artefacts/.test(check));
    expect(told.map(({ check, remove }) => [check, remove])).toEqual([
      ['flat_trials', null],
      ['artefacts', { channels: [], trials: [0] }],
    ]);
    for (const { message } of told)
      expect(message).toContain('The fit will fail: without them a class is left with 4 of the 5 trials');
    expect(spoilt(2, 10)).toMatchObject([
      {
        check: 'artefacts',
        message: expect.stringContaining('in 2 of 20 trials (0, 2) a channel moves by more than 6 times'),
        remove: { trials: [0, 2] },
      },
    ]);
    const few = { ...sample.trials, trials: 12, data: sample.trials.data.slice(0, 12 * size) };
    const doubled = { ...few, data: few.data.slice().copyWithin(6 * size, 2 * size, 3 * size) };
    doubled.data.copyWithin(8 * size, 4 * size, 5 * size);
    const copies = checkTrials({ trials: doubled, labels: labels.slice(0, 12), whole: true });
    expect(copies.find(({ check }) => check === 'doubled_trials')).toMatchObject({ remove: null });
  });
});
