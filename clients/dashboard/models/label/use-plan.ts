import { useEffect, useState } from 'preact/hooks';
import type { Said } from '../../../../infra/recordings/recording.ts';
import type { Reader } from '../file/reader.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import type { LabelPlan } from './parts.ts';
import type { Starts } from './starts.ts';

export interface Planned {
  readonly plan: LabelPlan | null;
  /** Why the trials cannot be labelled. */
  readonly problem: string | null;
}

const nothing: Planned = { plan: null, problem: null };

/** The trials of the current choice, and their requests. Changes while a person chooses cost one message each. */
export function usePlan(
  reader: Reader,
  model: TaskModelAnswer,
  starts: Starts | null,
  align: 'none' | 'batch',
  said: Said,
): Planned {
  const [planned, setPlanned] = useState(nothing);
  useEffect(() => {
    if (!starts) return setPlanned(nothing);
    let here = true;
    const { channels, classes, signal } = model;
    void reader.planLabels({ starts, align, channels, classes, seconds: signal.seconds_per_trial }).then(
      (plan) => here && setPlanned({ plan, problem: null }),
      (error: Error) => here && setPlanned({ plan: null, problem: error.message }),
    );
    return () => void (here = false);
  }, [reader, model, starts, align, said]);
  return planned;
}
