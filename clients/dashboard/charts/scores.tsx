import { baselineOf } from '../../../infra/contract/verdict.ts';
import { Figure } from './figure.tsx';
import { IntervalRows } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { comparedWords, Reasons } from './reasons.tsx';
import { scoredCount } from './report-sentences.ts';
import { mostRows, scoreRows, scoreTable, unscored } from './score-rows.ts';

/** Every method with its held-out score, or the reason why it has none. */
export function Scores({ report }: { readonly report: Report }) {
  const title = 'Scores by method';
  const count = report.methods.filter(({ status }) => status === 'scored').length;
  const description = 'Share of held-out trials labelled correctly, averaged over the classes.';
  const reading =
    'Each bar is a 95\u00A0% interval. The best of many methods is partly lucky, so the first row and the solid line show the ' +
    'score to expect. The dashed line is guessing.' +
    (count > mostRows ? ` The best ${mostRows} of ${count} are drawn; the table has all.` : '');
  const others = unscored(report);
  return (
    <Figure title={title} description={description} reading={reading} table={scoreTable(report)}>
      <IntervalRows
        title={title}
        description={description}
        rows={scoreRows(report)}
        chance={report.chance}
        expected={baselineOf(report).score}
      />
      {others.length > 0 && (
        <details>
          <summary>{comparedWords(scoredCount(report), others.length)}</summary>
          <Reasons of={others} />
        </details>
      )}
    </Figure>
  );
}
