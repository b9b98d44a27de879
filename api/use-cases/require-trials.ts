import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { briefList, count, quoted } from '../../infra/contract/quote.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { batchesWith } from '../../infra/records/task-models/batches.ts';
import { nearestOf } from '../contract/nearest.ts';

type Counts = Readonly<Record<string, number>>;

/** A message names this many classes and batches. */
const named = { classes: 8, batches: 5 } as const;

/** The trials of each class without those of ignored classes. Throws INVALID_REQUEST if no batch has such a class. */
export function withoutClasses(counts: Counts, ignored: readonly string[]): Counts {
  const unknown = ignored.findIndex((label) => !Object.hasOwn(counts, label));
  if (unknown >= 0) {
    const classes = Object.keys(counts);
    const rest = ignored.filter((label) => Object.hasOwn(counts, label));
    throw invalidField(
      `ignore_classes[${unknown}]`,
      `ignore_classes[${unknown}] is ${quoted(ignored[unknown], 60)}, which no batch holds. The classes of the batches ` +
        `are ${briefList(classes.map((label) => quoted(label, 40)))}.`,
      [{ ignore_classes: rest.length > 0 ? rest : null }],
    );
  }
  const gone = new Set(ignored);
  return Object.fromEntries(Object.entries(counts).filter(([label]) => !gone.has(label)));
}

const batchList = (batches: readonly number[] = []): string =>
  batches.length === 0
    ? ''
    : ` in batch${batches.length === 1 ? '' : 'es'} ${batches.slice(0, named.batches).join(', ')}` +
      (batches.length > named.batches ? ` and ${batches.length - named.batches} more` : '');

/**
 * Throws TOO_FEW_TRIALS for a fit of fewer than 2 classes, or with a class of fewer than 5 trials. The error names the
 * short classes, their batches and the class of which each may be a misspelling. If enough is left without the short
 * classes, it offers to ignore them.
 */
export async function requireTrials(
  sql: Sql,
  modelId: string,
  counts: Counts,
  ignored: readonly string[],
): Promise<void> {
  const rows = Object.entries(counts);
  const short = rows.filter(([, trials]) => trials < limits.minTrialsPerClass).sort((a, b) => a[1] - b[1]);
  if (rows.length >= limits.minClasses && short.length === 0) return;
  const full = rows.filter(([, trials]) => trials >= limits.minTrialsPerClass).map(([label]) => label);
  const seen = short.slice(0, named.classes);
  const batches = await batchesWith(
    sql,
    modelId,
    seen.map(([label]) => label),
  );
  const words = seen.map(([label, trials]) => {
    const meant = nearestOf(label, full);
    const spelling = meant === undefined ? '' : `; it may be a misspelling of ${quoted(meant, 60)}`;
    return `${quoted(label, 60)} has ${trials} ${trials === 1 ? 'trial' : 'trials'}${batchList(batches.get(label))}${spelling}`;
  });
  const more = short.length > seen.length ? `. ${count(short.length - seen.length)} more classes have too few` : '';
  const classes = rows.map(([label, trials]) => `${quoted(label, 30)} ${trials}`);
  const mends = full.length >= limits.minClasses;
  throw new ApiError(
    'TOO_FEW_TRIALS',
    (words.length > 0 ? `${words.join('. ')}${more}. ` : '') +
      `The fit has ${rows.length} ${rows.length === 1 ? 'class' : 'classes'} (${briefList(classes)}); at least ` +
      `${limits.minClasses} classes with ${limits.minTrialsPerClass} trials each are needed. Send further batches to ` +
      `/trials${mends ? `, or leave ${short.length === 1 ? 'that class' : 'those classes'} out with \`ignore_classes\`` : ''}.`,
    {
      field: 'labels',
      alternatives: mends ? [{ ignore_classes: [...ignored, ...short.map(([label]) => label)] }] : [],
    },
  );
}
