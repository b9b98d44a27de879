import { limits } from '../../../../infra/contract/limits.ts';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer, FindingAnswer } from '../response-types.ts';

/** Checks of the numbers of trials. A part of the trials says nothing about them. */
const ofCounts: Readonly<Record<string, (counts: readonly number[]) => boolean>> = {
  few_trials: (counts) => Math.min(...counts) < limits.recommendedTrialsPerClass,
  imbalance: (counts) => Math.max(...counts) >= 2 * Math.min(...counts),
};

/** Checks of the order of trials. Batches are shuffled, so the order of the recording decides. */
const ofOrder = 'label_order';

/**
 * The findings about all trials, from the estimates of each batch: every finding of any batch once, with the trials it
 * concerns counted together. Numbers and order of trials are judged over all batches.
 */
export function findingsOfAll(
  estimates: readonly Pick<EstimateAnswer, 'findings'>[],
  { trialsPerClass, isBlocked }: Pick<CutSummary, 'trialsPerClass' | 'isBlocked'>,
): FindingAnswer[] {
  if (estimates.length === 1) return [...estimates[0].findings];
  const counts = Object.values(trialsPerClass);
  const found = new Map<string, FindingAnswer>();
  for (const { findings } of estimates)
    for (const finding of findings.map(withoutNumbers)) {
      if (Object.hasOwn(ofCounts, finding.check) && !ofCounts[finding.check](counts)) continue;
      const before = found.get(finding.check);
      found.set(finding.check, before ? joined(before, finding) : finding);
    }
  if (isBlocked) found.set(ofOrder, { check: ofOrder, message: '', change: null, remove: null });
  return [...found.values()];
}

/** The numbers in a message are those of its batch. Only the order of trials needs its message: it has several causes. */
const withoutNumbers = (finding: FindingAnswer): FindingAnswer =>
  finding.check === ofOrder ? finding : { ...finding, message: '' };

function joined(one: FindingAnswer, two: FindingAnswer): FindingAnswer {
  if (!one.remove || !two.remove) return one.remove ? one : two;
  return {
    ...one,
    remove: {
      channels: [...new Set([...one.remove.channels, ...two.remove.channels])],
      trials: [...one.remove.trials, ...two.remove.trials],
    },
  };
}
