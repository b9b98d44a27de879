import { setTimeout as sleep } from 'node:timers/promises';
import type { FitReference } from '../../infra/contract/fit-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { isStopped } from '../../infra/contract/reference-data/preparation.ts';
import type { ReferenceShape } from '../../ml/reference-fits/types.ts';
import type { NetworkTask, ReferenceAvailability } from '../../ml/types.ts';
import type { PriorAnswer } from '../../infra/contract/reference-evidence.ts';
import type { ApiDeps } from '../deps.ts';
import { clearsChance, evidenceAnswer } from './zero-shot/evidence.ts';
import { referenceClassesOf, targetOf, type ReferenceTarget } from './zero-shot/mapping.ts';
import { fitAvailability, type ReferenceAvailability as FitAvailability } from './zero-shot/fit-availability.ts';

/** How other people's recordings can help a fit on labelled trials. */
export interface PriorPlan {
  readonly answer: PriorAnswer;
  /** For selection; absent: no reference task matches. */
  readonly reference?: ReferenceAvailability;
  /** A fit on the recordings, from which candidates start. Absent: none. */
  readonly fit?: FitReference;
  /** The task of the movement network with these classes; absent: none. */
  readonly network?: NetworkTask;
  /** Starts what is due and returns the state afterwards; absent: nothing could be started. */
  readonly begin?: () => Promise<PriorAnswer>;
}

interface PriorRequest {
  readonly accountId: string;
  readonly description: string;
  readonly classes: readonly string[];
  readonly shape: ReferenceShape;
  /** Seconds before the cue in each trial; absent: unknown. */
  readonly baselineSeconds?: number;
  readonly at: Date;
  /** Whether a fit on people who are prepared is made now, and awaited; absent: it is only looked up. */
  readonly fits?: boolean;
}

/** A labelled request waits this many milliseconds for the state of the recordings, */
const patience = 3_000;
/** and at most this many for a fit on prepared people. A fit takes 10 to 40 seconds. */
const fitPatience = 90_000;
const lookEveryMs = 500;

const nothing = (status: PriorAnswer['status'], explanation: string): PriorPlan => ({
  answer: { status, explanation, reference_classes: null, preparation: null, evidence: null },
});

const unmatched = nothing('unmatched', 'The classes are none that the service has recordings of other people for.');

/**
 * The plan for a matched task whose recordings cannot be used now. `reason` completes a sentence that begins with
 * "cannot be tried:".
 */
const without = (answer: PriorAnswer, reason: string): PriorPlan => ({ answer, reference: { reason } });

function planFor(target: ReferenceTarget, availability: FitAvailability): PriorPlan {
  const common = { reference_classes: referenceClassesOf(target), preparation: null, evidence: null };
  const from = `of other people (${target.set.name}: ${target.task.name})`;
  if (!availability.ready) {
    const { preparation } = availability;
    const { status, reason } = preparation;
    const ended = isStopped(status);
    const explanation = ended
      ? `Recordings ${from} cannot be learned from: ${reason ?? status}`
      : `Recordings ${from} are being prepared, in about ${preparation.estimated_seconds} s; a create before does without them.`;
    return without(
      { ...common, status, explanation, preparation },
      ended
        ? 'needs recordings of other people, which cannot be prepared now'
        : 'needs recordings of other people, which are not prepared yet; an estimate (`dry_run`) has them prepared',
    );
  }
  const { fit, people } = availability;
  const evidence = evidenceAnswer(fit.evidence, target, people);
  const ids = Object.entries(target.mapping)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => id);
  if (!clearsChance(fit.evidence))
    return without(
      {
        ...common,
        status: 'unusable',
        explanation: `Recordings ${from} do not tell these classes apart from these electrodes and this length.`,
        evidence,
      },
      'needs recordings of other people that tell these classes apart better than chance',
    );
  return {
    fit: { ref: fit.ref, classes: ids },
    answer: {
      ...common,
      status: 'ready',
      explanation: `Methods that begin from recordings ${from} compete with all others on your own held-out trials.`,
      evidence,
    },
    reference: { set: fit.evidence.set },
  };
}

/**
 * Whether recordings of other people who did the same task can be used now. Starts nothing and never waits for their
 * preparation. An error does not affect the request. Throws only TASK_UNSUPPORTED.
 */
export async function priorOf(
  deps: Pick<ApiDeps, 'threads' | 'reference' | 'log'>,
  { accountId, description, classes, shape, baselineSeconds = 0, at, fits = false }: PriorRequest,
): Promise<PriorPlan> {
  if (classes.length > limits.zeroShotClasses.max) return unmatched;
  const { match, unreadable, network } = await deps.threads.match(accountId, {
    description,
    classes,
    shape,
    baselineSeconds,
  });
  if (match.kind === 'none') return unmatched;
  const own = network ? { network } : {};
  if (match.kind === 'ambiguous') {
    const names = match.matches.map(({ task }) => `"${task.name}"`).join(' or ');
    return {
      ...own,
      ...without(
        nothing(
          'ambiguous',
          `The classes may be those of ${names}: say in \`description\` what the participant does, so that recordings of ` +
            'other people can be learned from.',
        ).answer,
        `needs to know whether the classes are those of ${names}, which the description does not say`,
      ),
    };
  }
  const target = targetOf(match);
  if (unreadable)
    return {
      ...own,
      ...without(
        nothing('unusable', `Recordings of other people cannot be learned from: this ${unreadable.reason}.`).answer,
        unreadable.reason,
      ),
    };
  /** Has the fit made if only that is missing, and waits for it. */
  const fitted = async (seen: FitAvailability): Promise<FitAvailability> => {
    const until = performance.now() + fitPatience;
    let now = seen;
    while (!now.ready && now.prepared && (now.restarts || !isStopped(now.preparation.status))) {
      if (performance.now() > until) break;
      if (now !== seen) await sleep(lookEveryMs);
      now = await fitAvailability(deps, target, shape, { accountId, at, start: true, prepares: false }, patience);
      if (!now.ready && isStopped(now.preparation.status)) break;
    }
    return now;
  };
  const ask = async (start: boolean): Promise<PriorPlan> => {
    try {
      const seen = await fitAvailability(deps, target, shape, { accountId, at, start }, patience);
      return { ...own, ...planFor(target, fits ? await fitted(seen) : seen) };
    } catch {
      return {
        ...own,
        ...without(
          nothing('failed', 'The preparation of recordings of other people cannot be reached at present.').answer,
          'needs recordings of other people, which cannot be reached at present',
        ),
      };
    }
  };
  const seen = await ask(false);
  return seen.answer.preparation ? { ...seen, begin: async () => (await ask(true)).answer } : seen;
}
