import { explained } from '../../evidence/control.ts';
import type { ToExplain } from '../../evidence/control.ts';
import { percent } from '../../evidence/percent.ts';
import { controls } from '../../methods/index.ts';
import type { TaskKind } from '../../types.ts';
import type { ControlScore } from '../types.ts';

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
      `${title}: these alone reach ${percent(reached.balancedAccuracy)} ` +
        `(${percent(reached.interval[0])} to ${percent(reached.interval[1])}) on the same folds, ` +
        `where the score is ${percent(toExplain.score)} ` +
        `(${percent(toExplain.interval[0])} to ${percent(toExplain.interval[1])}). ` +
        `${control.suspicion} would explain ${much === 'all' ? 'it' : 'most of it'}${caveat ? `; ${caveat}` : ''}.` +
        (without
          ? ` Without what they predict the method reaches ${percent(without.balancedAccuracy)} ` +
            `(${percent(without.interval[0])} to ${percent(without.interval[1])}).`
          : ''),
    ];
  });
