import { publish } from '../tables.ts';
import { splits } from '../tasks.ts';
import { choiceSection } from './choice-section.ts';
import { headsSection } from './heads-section.ts';
import { sleepSection } from './sleep.ts';
import { publishedSource } from './sources.ts';
import { evaluateSplit, type SplitResult } from './split.ts';

interface Options {
  readonly filter?: string;
  /** A folder of nights, and how many of them are read at most. */
  readonly kept?: string;
  readonly people?: number;
}

/**
 * Heads of pretrained encoders beside the classical choice on the real sets, and what enabling encoders does to the
 * choice.
 */
export async function encodersAccuracy({ filter = '', kept, people }: Options): Promise<void> {
  const published = await publishedSource();
  const results: SplitResult[] = [];
  const name = filter ? 'encoders-accuracy-partial.md' : 'encoders-accuracy.md';
  const [first] = splits(filter);
  // Once for nothing: code that has run is faster.
  if (first) await evaluateSplit(first, published);
  const text = (sleep: string): string =>
    [introduction, headsSection(results, published.absent), choiceSection(results), sleep].join('\n\n');
  for (const split of splits(filter)) {
    const result = await evaluateSplit(split, published);
    results.push(result);
    const { none } = result.choices;
    console.log(`${split.name}: ${none.leading} ${none.balancedAccuracy.toFixed(3)} (${none.seconds.toFixed(1)} s)`);
    publish(name, text(''), { quiet: true });
  }
  publish(name, text(await sleepSection(kept, published, people)));
}

export const introduction = [
  '# Pretrained encoders on real recordings',
  '',
  'Fit on the earlier sessions, test on the last one (one session only: the last third of each class; eegmmidb_edf: each',
  'run held out in turn). Every head stands on frozen embeddings; its temperature is that of its cross-validation on the',
  'training trials. "Choice": what the service chooses by cross-validation on the training trials among its classical',
  'candidates. "Best in hindsight": the classical candidate of greatest balanced accuracy on the test trials, and the least',
  'log-loss of any, which nobody can know beforehand. "Random weights": the same network, seeded, that nobody trained.',
  'RobustSleepNet is a candidate for sleep alone; here its head is tried on every set that it can read. Trials alone',
  '(`align: "none"`).',
].join('\n');
