import { FailureMessage } from '../../ui/failure.tsx';
import { money } from '../../ui/values.tsx';
import type { Failure } from '../../fetch.ts';
import type { FilledIn } from '../file/choice-of.ts';
import { isResumable } from '../file/send-with-retries.ts';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer } from '../response-types.ts';
import { costOf, missingOf } from './cost.ts';
import { EstimateShown } from './estimate.tsx';
import { Step } from './steps.tsx';

export interface Estimated {
  readonly filled: FilledIn;
  readonly cut: CutSummary;
  readonly estimate: EstimateAnswer;
}

/** The estimate, the button that creates the model, and what became of it. */
export function CreateStep({
  estimated,
  balance,
  began,
  step,
  failure,
  onCreate,
}: {
  readonly estimated: Estimated | null;
  /** US dollars; null: not known. */
  readonly balance: string | null;
  /** A create of this tab has begun, so parts of it may be paid already. */
  readonly began: boolean;
  /** What is being done; null: nothing. */
  readonly step: string | null;
  readonly failure: Failure | null;
  readonly onCreate: (estimated: Estimated) => void;
}) {
  if (!estimated && !failure)
    return (
      <Step step={4} title="Create" waitsFor="The estimate comes first.">
        {null}
      </Step>
    );
  const collects = estimated?.filled.details.collects === true;
  const cost = estimated && costOf(estimated.estimate, estimated.cut, collects);
  const missing = cost && balance !== null ? missingOf(cost.now, balance) : null;
  return (
    <Step step={4} title="Create" waitsFor={null}>
      {estimated && <EstimateShown estimate={estimated.estimate} cut={estimated.cut} collects={collects} />}
      {failure && <FailureMessage failure={failure} />}
      {failure && began && (
        <p>
          The service keeps the trials that were sent.{' '}
          {isResumable(failure)
            ? 'When the problem is solved, press the button again. The create continues where it stopped; nothing is paid twice.'
            : 'The model that collects them is in the list of your models. You can fit it or delete it there.'}
        </p>
      )}
      {missing !== null && step === null && (
        <p class="notice bad">
          Your balance is {money(balance!)}: {money(missing)} {began ? 'may be' : 'is'} missing for the whole create.
          Ask the operator of this service for credit, choose fewer trials, or make a test model, which is free.
        </p>
      )}
      {estimated && (
        <button
          type="button"
          aria-busy={step !== null}
          disabled={step !== null || (missing !== null && !began)}
          onClick={() => onCreate(estimated)}
        >
          {cost!.now === '0.00'
            ? `Create the test model`
            : collects
              ? `Send the trials for ${money(cost!.now)}`
              : `Create the model for ${money(cost!.now)}`}
        </button>
      )}
      {step !== null && (
        <p role="status">
          {step} … It takes seconds to minutes.{' '}
          {estimated && estimated.cut.batches.length > 1
            ? 'Keep this page open until all batches are sent.'
            : collects
              ? 'The page of the model opens then.'
              : 'The page of the model opens when the fit begins.'}
        </p>
      )}
    </Step>
  );
}
