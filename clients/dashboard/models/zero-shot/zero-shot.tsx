import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { limits } from '../../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../../infra/contract/prices.ts';
import { percent } from '../../charts/words.ts';
import { asFailure, type Failure } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { FailureMessage } from '../../ui/failure.tsx';
import { Choices, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { TermsNotice, useHasTerms } from '../../ui/terms-notice.tsx';
import { count, money } from '../../ui/values.tsx';
import { missingOf } from '../create/cost.ts';
import { idOfCreate } from '../file/id-of-create.ts';
import { formText } from '../form-text.ts';
import { createZeroShot, estimateZeroShot, type ZeroShot, type ZeroShotEstimateAnswer } from './send-zero-shot.ts';
import { modes } from '../modes.ts';

const usualCap = 'Fp1, Fp2, F7, F3, Fz, F4, F8, T7, C3, Cz, C4, T8, P7, P3, Pz, P4, P8, O1, O2';
const againMs = 3_000;

const listOf = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((each) => each.trim())
    .filter(Boolean);

const zeroShotOf = (values: FormData): ZeroShot => ({
  mode: values.get('mode') === 'live' ? 'live' : 'test',
  description: formText(values, 'description'),
  classes: listOf(formText(values, 'classes')),
  channels: listOf(formText(values, 'channels')),
  rateHz: Number(formText(values, 'sampling_rate_hz')),
  trialSeconds: Number(formText(values, 'trial_seconds')),
});

/** A model without own trials, fitted on recordings of other people. */
export default function ZeroShotPage() {
  const { me, refresh } = useSession();
  const { route } = useLocation();
  const hasTerms = useHasTerms();
  const [asked, setAsked] = useState<ZeroShot | null>(null);
  const [estimate, setEstimate] = useState<ZeroShotEstimateAnswer | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const turn = useRef(0);
  useEffect(() => () => void turn.current++, []);
  const clear = (): void => {
    turn.current++;
    setAsked(null);
    setEstimate(null);
    setFailure(null);
  };
  // While the service fetches recordings of other people, the same estimate is sent again.
  useEffect(() => {
    const state = estimate?.preparation;
    if (!asked || estimate?.ready !== false || (state?.status !== 'queued' && state?.status !== 'running'))
      return undefined;
    const own = turn.current;
    const timer = setTimeout(
      () =>
        void estimateZeroShot(asked).then(
          (next) => own === turn.current && setEstimate(next),
          (error: unknown) => own === turn.current && setFailure(asFailure(error)),
        ),
      againMs,
    );
    return () => clearTimeout(timer);
  }, [asked, estimate]);
  const send = async (values: FormData): Promise<void> => {
    clear();
    const own = turn.current;
    const next = zeroShotOf(values);
    const answer = await estimateZeroShot(next);
    if (own !== turn.current) return;
    setAsked(next);
    setEstimate(answer);
  };
  const create = async (of: ZeroShot, shown: ZeroShotEstimateAnswer): Promise<void> => {
    setSending(true);
    setFailure(null);
    try {
      route(`/dashboard/models/${await idOfCreate((onModel) => createZeroShot(of, shown, onModel))}`);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setSending(false);
      void refresh();
    }
  };
  return (
    <Page
      title="Create a model without own trials"
      lead="For tasks that other people have done before: the model learns from their recordings, and labels yours."
    >
      {!hasTerms && <TermsNotice />}
      <div class="card" inert={isSending} onInput={clear}>
        <Form submit="Show the estimate" onSubmit={send}>
          <Field
            name="description"
            label="What the task is"
            required
            placeholder="eyes open or eyes closed at rest"
            maxLength={limits.descriptionCharacters}
          />
          <Field
            name="classes"
            label="Classes (may be empty)"
            placeholder="eyes open, eyes closed"
            hint="Names with commas between them. If it is empty, the usual classes of the task are used."
          />
          <Field
            name="channels"
            label="Electrodes of your recordings"
            required
            defaultValue={usualCap}
            hint="Names with commas between them."
          />
          <div class="columns">
            <Field
              name="sampling_rate_hz"
              label="Sampling rate (Hz)"
              type="number"
              step="any"
              required
              defaultValue="250"
            />
            <Field
              name="trial_seconds"
              label="Length of a trial (s)"
              type="number"
              step="any"
              required
              defaultValue="4"
            />
          </div>
          <Choices name="mode" label="Kind" type="radio" options={modes} chosen={['test']} />
        </Form>
      </div>
      <div aria-live="polite">
        {failure && <FailureMessage failure={failure} />}
        {estimate?.ready === false && <Preparing estimate={estimate} />}
        {asked && estimate?.ready && (
          <Ready
            estimate={estimate}
            isSending={isSending}
            missing={
              asked.mode === 'live' && me
                ? missingOf(formatUsd(prices.createFee + prices.hostingMonth), me.balance_usd)
                : null
            }
            onCreate={() => void create(asked, estimate)}
          />
        )}
      </div>
    </Page>
  );
}

function Preparing({ estimate: { preparation } }: { readonly estimate: ZeroShotEstimateAnswer }) {
  if (preparation?.status === 'required')
    return (
      <p class="notice warn">
        The recordings of other people for this task are not on this service yet. Ask its operator to add them, or{' '}
        <a href="/dashboard/create">create a model from your own trials</a>.
      </p>
    );
  if (preparation?.status === 'failed')
    return (
      <p class="notice bad">
        The recordings of other people could not be fetched. Press “Show the estimate” again to try once more.
      </p>
    );
  return (
    <p class="notice" aria-busy="true" role="status">
      The service prepares recordings of other people. It takes about{' '}
      {Math.max(1, Math.ceil((preparation?.estimated_seconds ?? 60) / 60))} minutes. This page goes on by itself.
    </p>
  );
}

function Ready({
  estimate,
  isSending,
  missing,
  onCreate,
}: {
  readonly estimate: ZeroShotEstimateAnswer;
  readonly isSending: boolean;
  readonly missing: string | null;
  readonly onCreate: () => void;
}) {
  const { evidence, explanation, create_usd: fee, hosting_usd_per_month: monthly } = estimate;
  const isFree = Number(fee) === 0;
  const now = formatUsd(prices.createFee + prices.hostingMonth);
  return (
    <section class="card" aria-label="Estimate">
      <h2>What you get</h2>
      {evidence && (
        <p>
          On {count(evidence.people)} people that the model had not seen, about{' '}
          <strong>{percent(evidence.balanced_accuracy)}</strong> of the trials got the right label; guessing gives{' '}
          {percent(evidence.chance)}. For a single person, expect {percent(evidence.one_person_95[0])} to{' '}
          {percent(evidence.one_person_95[1])}.
        </p>
      )}
      <h3>What the participants did</h3>
      <p>The labels fit your recordings only if your participants do the same.</p>
      <dl class="model-facts">
        {Object.entries(explanation).map(([label, words]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="cost">
        <strong>{isFree ? 'Free: this is a test model' : `${money(now)} now`}</strong>
        {!isFree &&
          `: ${money(fee)} for the fit, ${money(monthly)} for the first month; then ${money(monthly)} a month.`}
      </p>
      {missing !== null && (
        <p class="notice bad">
          {money(missing)} is missing. <a href="/dashboard/billing">Look at your balance</a>, or make a test model,
          which is free.
        </p>
      )}
      <button type="button" aria-busy={isSending} disabled={isSending || missing !== null} onClick={onCreate}>
        {isFree ? 'Create the test model' : `Create the model for ${money(now)}`}
      </button>
    </section>
  );
}
