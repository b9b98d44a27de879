import { verdictOf } from '../../contract/verdict.ts';
import type { Report } from './response-types.ts';
import { formatTable } from './table.ts';

const score = (value: number | null | undefined): string => (typeof value === 'number' ? value.toFixed(3) : '');
const interval = (value: readonly [number, number] | null | undefined): string =>
  value ? `${value[0].toFixed(2)}–${value[1].toFixed(2)}` : '';
const certainty = (value: readonly [number, number] | null | undefined): string =>
  value ? ` (95 % ${interval(value)})` : '';

/**
 * The training report as text: what was chosen, how it was validated, every method with its score or reason, the
 * confusions, the warnings.
 */
export function formatReport(report: Report): string {
  const parts = [
    `  ${verdictOf(report).text}`,
    '',
    `  Chosen        ${report.method_title ?? report.method ?? ''}`,
    `  Why           ${report.choice ?? ''}`,
    `  Validation    ${report.validation?.description ?? ''}`,
    `  Held-out balanced accuracy ${score(report.balanced_accuracy)}${certainty(report.interval_95)}, ` +
      `chance ${score(report.chance)}` +
      (typeof report.p_value === 'number' ? `, permutation p = ${report.p_value}` : ''),
  ];
  if (report.corrected)
    parts.push(
      `  Corrected for choosing among methods: ` +
        `${score(report.corrected.balanced_accuracy)}${certainty(report.corrected.interval_95)}`,
    );
  if (report.corrected === null) parts.push('  No corrected score can be had: the warnings say why.');
  const tried = (report.methods ?? [])
    .filter(({ status }) => status === 'scored')
    .sort((a, b) => (b.balanced_accuracy ?? 0) - (a.balanced_accuracy ?? 0));
  if (tried.length) {
    parts.push(
      '',
      formatTable([
        ['Method', 'Balanced accuracy', '95 % interval', 'Seconds'],
        ...tried.map((row) => [
          `${row.id === report.method ? '▸ ' : '  '}${row.title}`,
          score(row.balanced_accuracy),
          interval(row.interval_95),
          row.seconds?.toFixed(2) ?? '',
        ]),
      ]),
    );
  }
  const others = (report.methods ?? []).filter(({ status }) => status !== 'scored');
  if (others.length)
    parts.push(
      '',
      '  Not used:',
      ...others.map(
        ({ title, status, reason }) => `    ${title}: ${status === 'skipped' ? '' : `${status}: `}${reason ?? ''}`,
      ),
    );
  if (report.confusion_matrix) {
    const { labels, counts } = report.confusion_matrix;
    parts.push(
      '',
      formatTable([
        ['True \\ decided', ...labels],
        ...labels.map((label, i) => [label, ...counts[i].map((count) => String(Math.round(count * 10) / 10))]),
      ]),
    );
  }
  for (const warning of report.warnings ?? []) parts.push(`  ! ${warning}`);
  return parts.join('\n');
}

/** Fraction of correct decisions, averaged over the classes. */
export function balancedAccuracy(truth: readonly string[], decided: readonly string[]): number {
  const recalls = [...new Set(truth)].map((label) => {
    const rows = truth.flatMap((each, i) => (each === label ? [i] : []));
    return rows.filter((i) => decided[i] === label).length / rows.length;
  });
  return recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
}
