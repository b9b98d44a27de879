import { weightsOf } from '../../../ml/encoders/index.ts';
import { createWorkspace, methodOf } from '../../../ml/methods/index.ts';
import { setsOf } from '../../../ml/methods/sets.ts';
import { extractFeatures, isEncoded } from '../../../ml/features/index.ts';
import { range } from '../../../ml/rows.ts';
import { leadingOf } from '../../../ml/train/index.ts';
import { toTrials } from '../../support/recordings.ts';
import type { Split } from '../tasks.ts';
import { createOf, type Created, type Labelled } from './create.ts';
import { tryHeads, type HeadResult } from './heads.ts';
import { scoreModel, scoreOf, type Score } from './score.ts';
import { randomSource, type EncoderSource } from './sources.ts';

/** A whole choice, and what it reaches on trials that it has not seen. */
export interface ChoiceResult extends Score {
  /** The best single method by the choice. */
  readonly leading: string;
  readonly pooled: boolean;
  /** Weight of encoders in what answers. */
  readonly encoderShare: number;
  readonly seconds: number;
  readonly encoderSeconds: number;
}

/** Everything that is asked of one split. */
export interface SplitResult {
  readonly name: string;
  readonly group: string;
  /** Trials of one person depend on each other. */
  readonly person: string;
  readonly tested: number;
  /** Without encoders, with those of published weights, with those of random ones. */
  readonly choices: Readonly<Record<'none' | 'published' | 'random', ChoiceResult>>;
  /** Classical candidates of greatest balanced accuracy and of least log-loss on the test trials. */
  readonly hindsight: Score & { readonly method: string };
  readonly heads: Readonly<Record<'published' | 'random', readonly HeadResult[]>>;
}

/** One split: the choice without encoders and with them, each head of each encoder, the best candidate in hindsight. */
export async function evaluateSplit(split: Split, published: EncoderSource): Promise<SplitResult> {
  const { name, group, recording, train, test, options } = split;
  const at = (rows: readonly number[], of: readonly string[]): string[] => rows.map((row) => of[row]!);
  const labelled: Labelled = {
    trials: toTrials(recording, train),
    labels: at(train, recording.labels),
    sessions: at(train, recording.sessions),
    options,
  };
  const held = toTrials(recording, test);
  const wanted = at(test, recording.labels);
  const sources = { published, random: randomSource };
  const without = await createOf(labelled, null);
  const judged = async (created: Created, source: EncoderSource): Promise<ChoiceResult> => ({
    ...(await scoreModel(created.model, held, wanted, source)),
    ...described(created),
  });
  const choiceWith = async (source: EncoderSource) => judged(await createOf(labelled, source), source);
  const headsOf = (source: EncoderSource) => tryHeads(without, labelled, held, wanted, source);
  return {
    name,
    group,
    person: name.replace(/^eegmmidb_\w+/, 'eegmmidb').replace(/:.*/, ''),
    tested: test.length,
    choices: {
      none: await judged(without, randomSource),
      published: await choiceWith(published),
      random: await choiceWith(randomSource),
    },
    hindsight: hindsightOf(without, labelled, held, wanted),
    heads: { published: await headsOf(sources.published), random: await headsOf(sources.random) },
  };
}

function described({ choice, data, took }: Created): Omit<ChoiceResult, keyof Score> {
  const reads = (id: string): boolean => weightsOf(setsOf(methodOf(id), data.features).filter(isEncoded)).length > 0;
  const leading = leadingOf(choice).id;
  const pooled = choice.method === 'pool';
  const members = pooled ? choice.pool! : [{ id: leading, weight: 1 }];
  return {
    leading,
    pooled,
    encoderShare: members.reduce((sum, { id, weight }) => sum + (reads(id) ? weight : 0), 0),
    seconds: took.whole.seconds,
    encoderSeconds: took.encoders.seconds,
  };
}

/** Each candidate of a create without encoders, fitted on all its trials. */
function hindsightOf(
  { data, scores, model, shape }: Created,
  { trials }: Labelled,
  held: Labelled['trials'],
  wanted: readonly string[],
): SplitResult['hindsight'] {
  const scored = scores.filter(({ status }) => status === 'scored');
  const sets = [...new Set(scored.flatMap(({ method }) => methodOf(method).featureSets(shape)))];
  const later = extractFeatures(held, sets, data.features.versions);
  const workspace = createWorkspace();
  const tried = scored.map(({ method: id, temperature }) => {
    const method = methodOf(id);
    const head = method.fit({ data, rows: range(trials.trials), workspace });
    const logScores = method.decide(head, later, range(held.trials), createWorkspace());
    return { method: id, ...scoreOf(logScores, model.classes, wanted, temperature) };
  });
  const best = tried.reduce((a, b) => (b.balancedAccuracy > a.balancedAccuracy ? b : a));
  return { ...best, logLoss: Math.min(...tried.map(({ logLoss }) => logLoss)) };
}
