import { createRandom } from '../../ml/random.ts';
import { evidenceOf, meanOf, spreadOf } from '../ml/evidence-of-noise.ts';
import { fooling } from '../ml/fooled.ts';
import { publish, table } from './tables.ts';

/** Known ways to make noise look like classes (`test/ml/fooled.ts`), and what the reports say. Chance is 0.5. */
export function fool({ runs = 50, filter = '' }: { readonly runs?: number; readonly filter?: string }): void {
  const rows = Object.entries(fooling)
    .filter(([name]) => name.includes(filter))
    .map(([name, { make, says }]) => {
      const reports = Array.from({ length: runs }, (_, run) => evidenceOf(make(createRandom(1 + run))));
      const corrected = reports.flatMap((report) => report.corrected?.balanced_accuracy ?? []);
      const row = [
        name,
        meanOf(reports.map((report) => report.balanced_accuracy)),
        corrected.length > 0 ? meanOf(corrected) : '–',
        corrected.length > 0 ? spreadOf(corrected) / Math.sqrt(corrected.length) : '–',
        String(reports.length - corrected.length),
        String(reports.filter(({ p_value: p }) => p !== null && p <= 0.05).length),
        String(reports.filter(({ warnings }) => says.test(warnings.join(' '))).length),
      ];
      console.log(row.map((value) => (typeof value === 'number' ? value.toFixed(3) : value)).join('  '));
      return row;
    });
  publish(
    runs < 50 || filter ? 'fool-partial.md' : 'fool.md',
    [
      '# Ways to fool it',
      '',
      `Trials in which nothing tells the classes apart but what the design gets wrong, ${runs} runs of two quick ` +
        'methods each; chance is 0.5. The designs are in `test/ml/fooled.ts` and `test/ml/noise-designs.ts`.',
      '',
      table(['design', 'cross-validated', 'corrected', 'standard error', 'withheld', 'p ≤ 0.05', 'warned'], rows),
    ].join('\n'),
  );
}
