import { toTrials, type Recording } from '../../support/recordings.ts';
import { mean, table } from '../tables.ts';
import { createOf } from './create.ts';
import { readNights } from './nights.ts';
import { paired, shown } from './paired.ts';
import { scoreModel, type Score } from './score.ts';
import { randomSource, type EncoderSource } from './sources.ts';

const aligns = ['none', 'batch'] as const;
type Align = (typeof aligns)[number];

/** A method fitted on all nights but one, and what it says of that one. */
export interface NightResult extends Score {
  readonly night: string;
  readonly method: string;
  readonly weights: string;
  readonly align: Align;
}

/** Each night left out: RobustSleepNet with published and with random weights, beside what reads features of sleep. */
export async function leaveNightsOut(nights: readonly Recording[], published: EncoderSource): Promise<NightResult[]> {
  const [first] = nights;
  const channels = first!.channels.filter((name) => nights.every((night) => night.channels.includes(name)));
  if (channels.length === 0) throw new Error('The nights have no channel in common.');
  const arms = [
    { method: 'robust-sleep-net-logistic', source: published, weights: 'published' },
    { method: 'robust-sleep-net-logistic', source: randomSource, weights: 'random' },
    { method: 'sleep-trees', source: null, weights: '' },
    { method: 'sleep-logistic', source: null, weights: '' },
  ].filter(({ source }) => !source || 'robust-sleep-net' in source.availability);
  const read = nights.map((night) => toTrials(night, undefined, channels));
  const results: NightResult[] = [];
  for (const [out, held] of nights.entries()) {
    const kept = [...nights.keys()].filter((i) => i !== out);
    const parts = kept.map((i) => read[i]!);
    const data = new Float32Array(parts.reduce((sum, part) => sum + part.data.length, 0));
    parts.reduce((at, part) => (data.set(part.data, at), at + part.data.length), 0);
    const fitted = {
      trials: { ...parts[0]!, data, trials: parts.reduce((sum, part) => sum + part.trials, 0) },
      labels: kept.flatMap((i) => nights[i]!.labels),
      sessions: kept.flatMap((i) => nights[i]!.labels.map(() => nights[i]!.name)),
    };
    for (const { method, source, weights } of arms) {
      const { model } = await createOf({ ...fitted, options: { kind: 'sleep', candidates: [method] } }, source);
      for (const align of aligns) {
        const score = await scoreModel(model, read[out]!, held.labels, source ?? published, align);
        results.push({ night: held.name, method, weights, align, ...score });
      }
    }
  }
  return results;
}

/** What a folder of nights says of RobustSleepNet; without one, that nothing is known here. */
export async function sleepSection(
  folder: string | undefined,
  published: EncoderSource,
  most?: number,
): Promise<string> {
  const title = '## Sleep, recording by recording left out';
  if (!folder)
    return [
      title,
      '',
      'Not measured: no recordings of sleep are among the real sets. RobustSleepNet, a candidate for sleep alone, has been',
      'held to its reference outputs (`encoders.md`) and to no night of real sleep here. With a folder of nights (Sleep-EDF as',
      'it is published, other EDF with `Sleep stage …` annotations, or `.npz` like the other sets):',
      '`npm run bench -- encoders --accuracy --kept FOLDER`.',
    ].join('\n');
  const nights = [...readNights(folder, most)];
  const results = await leaveNightsOut(nights, published);
  const arms = [...Map.groupBy(results, ({ method, weights, align }) => [method, weights, align].join()).values()];
  const base = results.filter(({ method, align }) => method === 'sleep-trees' && align === 'none');
  const minus = (own: readonly NightResult[]) =>
    paired(own.map(({ night, ...score }, i) => ({ person: night, difference: score.balancedAccuracy - at(base, i) })));
  return [
    title,
    '',
    `${nights.length} nights, ${nights.reduce((sum, { trials }) => sum + trials, 0)} epochs. Each difference is a mean`,
    'over nights ± its standard error; nights of one person count as nights.',
    '',
    table(
      ['method', 'weights', 'align', 'balanced accuracy', 'log-loss', 'accuracy, minus sleep-trees alone'],
      arms.map((own) => [
        own[0]!.method,
        own[0]!.weights,
        own[0]!.align,
        mean(own.map(({ balancedAccuracy }) => balancedAccuracy)),
        mean(own.map(({ logLoss }) => logLoss)),
        shown(minus(own)),
      ]),
    ),
  ].join('\n');
}

const at = (scores: readonly Score[], i: number): number => scores[i]!.balancedAccuracy;
