import type { TaskKind } from '../types.ts';
import { frequenciesOf } from './frequencies.ts';
import { kinds, taskEvidence } from './kinds.ts';
import { readText } from './text.ts';

export interface TaskReading {
  readonly kind: TaskKind;
  /** More specific than `kind`: `erp`, `motor`, `sleep_staging`, `ssvep`, `resting_state` or `other`. */
  readonly category: string;
  /** Why, with the words quoted. */
  readonly evidence: string;
  readonly frequenciesHz?: readonly number[];
}

/** The kind to which at least two, and at least two thirds, of the labels belong. */
function byLabels(labels: readonly string[]): { row: (typeof kinds)[number]; label: string } | null {
  const classes = [...new Set(labels)].map((label) => ({
    label,
    plain: readText(label).plain.trim().replace(/[-/]/g, ' ').replace(/\s+/g, ' '),
  }));
  let best: { row: (typeof kinds)[number]; label: string; fraction: number } | null = null;
  for (const row of kinds) {
    if (!row.label) continue;
    const named = classes.filter(({ plain }) => row.label!.test(plain));
    const fraction = named.length / classes.length;
    if (named.length >= 2 && fraction >= 2 / 3 && fraction > (best?.fraction ?? 0))
      best = { row, label: named[0].label, fraction };
  }
  return best;
}

const quoted = (text: string) => `"${text}"`;

/**
 * Determines the kind of task from description and labels (spec, "Supported task kinds"). Labels that are stimulation
 * frequencies make it `other` with `frequenciesHz`; else the description decides, then the labels.
 */
export function readTask(description: string, labels: readonly string[]): TaskReading {
  const said = taskEvidence(readText(description));
  const labelled = byLabels(labels);
  const flicker = said?.row.category === 'ssvep';
  const frequenciesHz = frequenciesOf(labels, flicker, said !== null || labelled !== null);
  if (frequenciesHz && (flicker || said === null || said.row.kind === 'other')) {
    return {
      kind: 'other',
      category: 'ssvep',
      evidence: `labels read as stimulation frequencies: ${frequenciesHz.join(', ')} Hz`,
      frequenciesHz,
    };
  }
  if (
    labelled &&
    labelled.row.kind === 'sleep' &&
    labelled.row.kind !== said?.row.kind &&
    said?.row.category !== 'ssvep' &&
    said?.row.kind !== 'motor' &&
    said?.row.kind !== 'erp'
  ) {
    return { kind: 'sleep', category: labelled.row.category, evidence: `label ${quoted(labelled.label)}` };
  }
  if (said) {
    const { kind, category } = said.row;
    return { kind, category, evidence: `${quoted(said.evidence)} in the description` };
  }
  if (labelled)
    return { kind: labelled.row.kind, category: labelled.row.category, evidence: `label ${quoted(labelled.label)}` };
  return {
    kind: 'other',
    category: 'other',
    evidence: 'nothing in the description or the labels names a known kind of task',
  };
}
