import { explained } from '../../evidence/control.ts';
import type { ToExplain } from '../../evidence/control.ts';
import { percent } from '../../evidence/percent.ts';
import { controls } from '../../methods/index.ts';
import type { TaskKind } from '../../types.ts';
import type { ControlScore } from '../types.ts';
import { warningSentence } from '../../warning-sentences.ts';

/** Report rows of the controls. */
export const controlRows = (scores: readonly ControlScore[]): Record<string, unknown>[] =>
  scores.map(({ id, title, status, reached, without, reason }) => ({
    id,
    title,
    balanced_accuracy: reached && reached.balancedAccuracy,
    interval_95: reached && reached.interval,
    p_value: reached && reached.p,
    without: without ? { balanced_accuracy: without.balancedAccuracy, interval_95: without.interval } : null,
    status,
    reason,
  }));

const between = ([low, high]: readonly [number, number]): string => `${percent(low)} to ${percent(high)}`;

/** One sentence for each control that explains the score. */
export const controlWarnings = (
  scores: readonly ControlScore[],
  toExplain: ToExplain,
  kind: TaskKind = 'other',
): string[] =>
  scores.flatMap(({ id, title, reached, without }) => {
    const control = controls.find((each) => each.id === id);
    const much = reached && explained(reached, toExplain, without);
    if (!control || !reached || !much) return [];
    const caveat = control.caveat?.[kind];
    return [
      [
        warningSentence(`control_${control.id}`, {
          title,
          score: percent(reached.balancedAccuracy),
          interval: between(reached.interval),
          total: percent(toExplain.score),
          around: between(toExplain.interval),
          much: much === 'all' ? 'it' : 'most of it',
          caveat: caveat ? `; ${caveat}` : '',
        }),
        ...(without
          ? [
              warningSentence('control_without', {
                score: percent(without.balancedAccuracy),
                interval: between(without.interval),
              }),
            ]
          : []),
      ].join(' '),
    ];
  });
