import { verdictOf, type Judged } from '../../../infra/contract/verdict.ts';

/** The verdict of a report in words, with its three numbers beside it. */
export function ReportVerdict({
  report,
  name = 'this model',
}: {
  readonly report: Judged;
  /** Names the region where a page has several. */
  readonly name?: string;
}) {
  const { text, trust, numbers } = verdictOf(report);
  return (
    <section class={`verdict ${trust}`} aria-label={`What to expect of ${name}`}>
      <p data-testid="report-verdict">{text}</p>
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
