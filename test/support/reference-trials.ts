import type { ReferenceTask } from '../../infra/contract/reference-data/data-set-schema.ts';
import { findStretches, type MarkedRun, type ReferenceStretch } from '../../infra/recordings/reference-data/run.ts';

type ReferenceTrial = Pick<ReferenceStretch, 'classId' | 'from'>;

/**
 * Where the trials of a task lie in a run, in time order, whole ones only. `seconds` is the length of a trial, at most
 * the `longestSeconds` of the task's window.
 */
export function findTrials(ofRun: MarkedRun, task: ReferenceTask, seconds: number): ReferenceTrial[] {
  const { rateHz } = ofRun;
  const { window, id } = task;
  const { longestSeconds } = window;
  if (!(seconds > 0 && seconds <= longestSeconds))
    throw new RangeError(`Trials of ${id} last up to ${longestSeconds} s, not ${seconds} s.`);
  const samples = Math.round(seconds * rateHz);
  const trials: ReferenceTrial[] = [];
  for (const { classId, from: first, samples: all } of findStretches(ofRun, task)) {
    const end = first + (window.cut === 'span' ? all : Math.min(all, samples));
    for (let from = first; from + samples <= end; from += samples) trials.push({ classId, from });
  }
  return trials;
}
