import { encodeTrials, isEncoded, isReadTogether, withEncoded } from '../../../ml/features/index.ts';
import { createWorkspace, methods, type Method } from '../../../ml/methods/index.ts';
import { range, rowsOfEach } from '../../../ml/rows.ts';
import { scoreCandidate } from '../../../ml/train/index.ts';
import type { EncoderAvailability, Trials } from '../../../ml/types.ts';
import type { Created, Labelled } from './create.ts';
import { scoreOf, type Score } from './score.ts';
import type { EncoderSource } from './sources.ts';

/** A head on the embeddings of an encoder, tried on one split. */
export interface HeadResult {
  readonly head: string;
  readonly encoder: string;
  /** Null: the trials could not be read, for this reason. */
  readonly test: Score | null;
  readonly crossValidated: number;
  readonly reason: string | null;
  /** Of the embeddings of all trials. */
  readonly seconds: number;
}

/** Methods that read embeddings of one encoder, whatever kind of task they are for. */
const headsOf = (encoders: EncoderAvailability): Method[] =>
  methods.filter((method) => method.featureSets({ encoders }).some(isEncoded));

/** Heads of every encoder of a source, fitted on the trials of a create and tested on others. */
export async function tryHeads(
  { data, plan, shape }: Created,
  { trials, sessions }: Labelled,
  held: Trials,
  wanted: readonly string[],
  source: EncoderSource,
): Promise<HeadResult[]> {
  const results: HeadResult[] = [];
  for (const [id, available] of Object.entries(source.availability)) {
    const encoders = { [id]: available };
    const heads = headsOf(encoders);
    const reasons = heads.map((head) => head.unreadable({ ...shape, encoders }));
    const readable = heads.filter((_, i) => reasons[i] === null);
    const start = performance.now();
    const sets = [...new Set(readable.flatMap((head) => head.featureSets({ encoders })))];
    const reading = { encoders: source.encoders, recordings: rowsOfEach(sessions) };
    const read = await encodeTrials(trials, sets, reading);
    const { standards } = read;
    const features = withEncoded(data.features, read);
    const later = await encodeTrials(
      held,
      sets.filter((set) => !isReadTogether(set)),
      { ...reading, recordings: null, standards },
    );
    const seconds = (performance.now() - start) / 1000;
    const tested = withEncoded({ ...data.features, trials: held.trials, sets: {} }, later);
    const own = { ...data, features };
    const tryHead = (head: Method): Pick<HeadResult, 'test' | 'crossValidated' | 'reason'> => {
      const scored = scoreCandidate(head.id, own, plan);
      const { balancedAccuracy: crossValidated, reason, temperature } = scored;
      if (scored.status !== 'scored') return { test: null, crossValidated, reason };
      const workspace = createWorkspace();
      const fitted = head.fit({ data: own, rows: range(trials.trials), workspace });
      const logScores = head.decide(fitted, tested, range(held.trials), workspace);
      return { test: scoreOf(logScores, data.classes, wanted, temperature), crossValidated, reason };
    };
    for (const [i, head] of heads.entries()) {
      const refused = { test: null, crossValidated: Number.NaN, reason: `It ${reasons[i]}.` };
      results.push({
        head: head.id,
        encoder: id,
        seconds,
        ...(readable.includes(head) ? tryHead(head) : refused),
      });
    }
  }
  return results;
}
