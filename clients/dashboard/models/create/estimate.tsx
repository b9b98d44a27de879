import { count, money, plural } from '../../ui/values.tsx';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer } from '../response-types.ts';
import { costOf } from './cost.ts';
import { findingWords } from './finding-words.ts';

/** The cut trials, the cost, and the warnings before payment. */
export function EstimateShown({ estimate, cut }: { readonly estimate: EstimateAnswer; readonly cut: CutSummary }) {
  const { now, batches } = costOf(estimate, cut);
  const monthly = money(estimate.hosting_usd_per_month);
  const trials = Object.entries(cut.trialsPerClass).map(([label, number]) => `${label}: ${plural(number, 'trial')}`);
  return (
    <section aria-label="Estimate">
      <h2>Estimate</h2>
      <p class="cost">
        <strong>{now === '0.00' ? 'Free' : `${money(now)} now`}</strong>
        {now !== '0.00' && (
          <>
            : {money(estimate.create_usd)} for the fit
            {batches !== null && (
              <>
                , {money(batches)} for {plural(cut.windows, 'window')} in {cut.batches.length} batches
              </>
            )}
            , {monthly} for the first month; then {monthly} a month. A fit that fails costs nothing
            {batches !== null && ' beyond its batches'}.
          </>
        )}
      </p>
      <p>
        {trials.join(', ')}; {cut.channels} channels, {count(cut.samples)} samples each at {cut.rateHz} Hz.{' '}
        {plural(estimate.candidates.length, 'method')} will be compared ({estimate.category}).
      </p>
      {cut.batches.length > 1 && (
        <p>
          One request cannot carry all trials. They are sent in {cut.batches.length} shuffled batches of at most{' '}
          {Math.max(...cut.batches)} trials, and then fitted. Keep this page open until all batches are sent. The
          estimate is for the first batch.
        </p>
      )}
      {cut.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {estimate.findings.length > 0 ? (
        <div class="notice warn">
          <p>
            <strong>Before you create it</strong>
          </p>
          <ul>
            {estimate.findings.map((finding, i) => (
              <li key={i}>{findingWords(finding)}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p>There are no warnings.</p>
      )}
      {estimate.skipped.length > 0 && (
        <details>
          <summary>{plural(estimate.skipped.length, 'method')} will not be tried, since they need other data</summary>
          <ul>
            {estimate.skipped.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
