import { verdictOf, type Judged } from '../../../infra/contract/verdict.ts';
import { pointsBox } from './report.tsx';
import { doubtsIn } from './doubts.ts';

/**
 * The verdict of a report in words, with its three numbers beside it. A good verdict is shown as a warning if a point
 * puts the score in doubt.
 */
export function ReportVerdict({
  report,
  name = 'this model',
  page = '',
}: {
  readonly report: Judged & { readonly warnings: readonly string[] };
  /** Names the region where a page has several. */
  readonly name?: string;
  /** The page with the points to check, if it is another. */
  readonly page?: string;
}) {
  const { text, trust, numbers } = verdictOf(report);
  const doubts = doubtsIn(report.warnings);
  return (
    <section
      class={`verdict ${trust === 'good' && doubts > 0 ? 'warn' : trust}`}
      aria-label={`What to expect of ${name}`}
    >
      <div class="said">
        <p data-testid="report-verdict">{text}</p>
        {doubts > 0 && (
          <p class="doubts" data-testid="report-doubts">
            The score may be wrong:{' '}
            <a href={`${page}#${pointsBox}`}>{doubts === 1 ? 'one point' : `${doubts} points`} to check</a>.
          </p>
        )}
      </div>
      <dl>
        {numbers.map(({ name, value, meaning }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="value">{value}</dd>
            <dd class="meaning">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
