import { count, money, plural } from '../../ui/values.tsx';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer } from '../response-types.ts';
import { costOf } from './cost.ts';
import { findingWords } from './finding-words.ts';
import { reasonWords } from '../../charts/reason-words.ts';
import { comparedWords, Reasons } from '../../charts/reasons.tsx';
import { Points } from '../points.tsx';

/** The cut trials, the cost, and the warnings before payment. */
export function EstimateShown({
  estimate,
  cut,
  collects,
}: {
  readonly estimate: EstimateAnswer;
  readonly cut: CutSummary;
  /** The model collects trials, and is fitted later. */
  readonly collects: boolean;
}) {
  const { now, batches } = costOf(estimate, cut, collects);
  const monthly = money(estimate.hosting_usd_per_month);
  const trials = Object.entries(cut.trialsPerClass).map(([label, number]) => `${label}: ${plural(number, 'trial')}`);
  return (
    <div>
      <p class="cost">
        <strong>{now === '0.00' ? 'Free: this is a test model' : `${money(now)} now`}</strong>
        {now !== '0.00' && collects && (
          <>
            {' '}
            for {plural(cut.windows, 'window')}. The fit costs {money(estimate.create_usd)} later, and hosting {monthly}{' '}
            a month from then on.
          </>
        )}
        {now !== '0.00' && !collects && (
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
        {trials.join(', ')}; {cut.channels} channels, {count(cut.samples)} samples each at {cut.rateHz} Hz.
      </p>
      {cut.batches.length > 1 && (
        <p>
          One request cannot carry all trials. They are sent in {cut.batches.length} shuffled batches of at most{' '}
          {Math.max(...cut.batches)} trials, and then fitted. Keep this page open until all batches are sent. The
          warnings below are about all of them.
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
          <Points points={estimate.findings.map(findingWords)} />
        </div>
      ) : (
        <p>There are no warnings.</p>
      )}
      {estimate.skipped.length > 0 && (
        <details>
          <summary>{comparedWords(estimate.candidates.length, estimate.skipped.length)}</summary>
          <Reasons of={estimate.skipped.map(({ title, reason }) => ({ title, reason: reasonWords(reason) }))} />
        </details>
      )}
    </div>
  );
}
