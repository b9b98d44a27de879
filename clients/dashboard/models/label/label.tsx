import { useEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../../infra/contract/prices.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { sampleNames } from '../../../../infra/recordings/sample/sample.ts';
import { failed, Failure } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { FailureMessage } from '../../ui/failure.tsx';
import { formatsRead } from '../../../../infra/contract/formats.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { count, money, plural } from '../../ui/values.tsx';
import { missingOf } from '../create/cost.ts';
import { minutes } from '../create/files.tsx';
import { OpenQuestions } from '../create/open-questions.tsx';
import { RateQuestion } from '../create/rate-question.tsx';
import { UnitQuestion } from '../create/unit-question.tsx';
import { saidOfOtherFiles } from '../file/draft.ts';
import type { FilesSummary } from '../file/summary.ts';
import { isResumable } from '../file/send-with-retries.ts';
import { useRecordings } from '../file/use-recordings.ts';
import { Notices } from '../notices.tsx';
import { remembered } from '../remembered.ts';
import { sampleFile } from '../sample/sample-file.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import { agreementOf } from './agreement.ts';
import { firstStarts } from './first-starts.ts';
import { addLabelling, clearLabellings, pastLabellings } from './history.ts';
import type { LabelRows } from './label-csv.ts';
import { PastLabellings } from './past.tsx';
import type { LabelPlan } from './parts.ts';
import { countsOf, LabelResult } from './result.tsx';
import { noAnswers, sendLabels, type LabelAnswers } from './send-labels.ts';
import type { Starts } from './starts.ts';
import { StartsForm } from './starts-form.tsx';
import { usePlan } from './use-plan.ts';

const usdOf = ({ windows }: Pick<LabelPlan, 'windows'>): string => formatUsd(prices.window * BigInt(windows));

const rowsOf = (
  { classes }: TaskModelAnswer,
  { at, rateHz, truth }: LabelPlan,
  { trials }: LabelAnswers,
): LabelRows => ({
  classes,
  begins: at.map((sample) => sample / rateHz),
  trials,
  truth,
});

const startsIn = ({ id, classes, signal }: TaskModelAnswer, { events }: FilesSummary): Starts =>
  firstStarts(events, { classes, seconds: signal.seconds_per_trial, remembered: remembered(id) });

/** Labels a recording: file, beginnings of the trials, cost, labels, CSV. The browser sends the trials only. */
export function LabelRecording({ model }: { readonly model: TaskModelAnswer }) {
  const { me, refresh } = useSession();
  const recording = useRecordings({ one: true });
  const { reader, summary } = recording;
  const [name, setName] = useState('');
  const [starts, setStarts] = useState<Starts | null>(null);
  const [isAligned, setAligned] = useState(model.mode === 'zero_shot');
  const { plan, problem } = usePlan(reader, model, starts, isAligned ? 'batch' : 'none', recording.said);
  const [answers, setAnswers] = useState<LabelAnswers | null>(null);
  const [done, setDone] = useState(0);
  const [isRunning, setRunning] = useState(false);
  const [rows, setRows] = useState<LabelRows | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [past, setPast] = useState(() => pastLabellings(model.id));
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (rows) result.current?.scrollIntoView({ block: 'nearest' });
  }, [rows]);
  const clear = (): void => {
    setAnswers(null);
    setRows(null);
    setFailure(null);
    setDone(0);
  };
  // Names of channels are those of the recordings that the model was made from. The unit is asked for again.
  const known = (): Said => saidOfOtherFiles(remembered(model.id)?.said ?? {});
  const open = async (files: readonly File[], said = known()): Promise<void> => {
    clear();
    setStarts(null);
    setName(files[0].name);
    const found = await recording.open(files, said);
    if (!found) return;
    setName(found.files[0].name);
    setStarts(startsIn(model, found));
  };
  const say = async (next: Said): Promise<void> => {
    clear();
    const events = summary?.events;
    const found = await recording.say(next);
    // Another trigger channel has other events.
    if (found && String(found.events.map(({ text }) => text)) !== String(events?.map(({ text }) => text)))
      setStarts(startsIn(model, found));
  };
  const openSample = async (): Promise<void> => {
    try {
      await open([await sampleFile(sampleNames.at(-1)!)]);
    } catch (error) {
      setFailure(failed('SAMPLE', (error as Error).message));
    }
  };
  const run = async (of: LabelPlan): Promise<void> => {
    const own = answers ?? noAnswers();
    setAnswers(own);
    setFailure(null);
    setRunning(true);
    try {
      await sendLabels(reader, model, of, own, () => recording.isHere() && setDone(own.trials.length));
      const next = rowsOf(model, of, own);
      const agreement = agreementOf(
        own.trials.map(({ label }) => label),
        of.truth,
      );
      setPast(
        addLabelling(model.id, {
          at: new Date().toISOString(),
          trials: own.trials.length,
          counts: countsOf(next),
          usd: model.test ? null : usdOf(own),
          known: agreement?.known ?? 0,
          right: agreement?.right ?? 0,
        }),
      );
      setRows(next);
    } catch (error) {
      setFailure(error instanceof Failure ? error : failed('RECORDING', (error as Error).message, 422));
    } finally {
      setRunning(false);
      void refresh();
    }
  };
  const missing = plan && !model.test && me ? missingOf(usdOf(plan), me.balance_usd) : null;
  return (
    <section class="card label" aria-labelledby="label-heading">
      <h2 id="label-heading">Label a recording</h2>
      <FileDrop
        label={summary ? 'Choose another recording' : 'Choose a recording'}
        hint={`${formatsRead}. Choose files that belong together at once. This browser reads them and sends only the trials.`}
        several
        invalid={recording.problem !== null}
        testId="label-file"
        beside={
          remembered(model.id)?.isSample && (
            <button type="button" class="secondary outline small" onClick={() => void openSample()}>
              Use a sample recording that the model has not seen
            </button>
          )
        }
        onFiles={(files) => void open(files)}
      />
      {recording.reading && (
        <p class="waiting" aria-busy="true">
          Reading {name} …
        </p>
      )}
      {recording.problem !== null && (
        <div class="notice bad" role="alert">
          <p>{recording.problem}</p>
        </div>
      )}
      {recording.withoutRate && (
        <RateQuestion onRate={(rateHz) => void open(recording.withoutRate!, { ...recording.said, rateHz })} />
      )}
      {summary && starts && (
        <div inert={isRunning}>
          <p class="file-line">
            <strong class="file-name">{name}</strong>: {minutes(summary.files[0].seconds)},{' '}
            {plural(summary.files[0].events, 'event')}
          </p>
          <Notices notices={[...summary.files[0].notices, ...summary.notices]} />
          <OpenQuestions needs={summary.needs} said={recording.said} onSay={(said) => void say(said)} />
          <UnitQuestion summary={summary} said={recording.said} onSay={(said) => void say(said)} />
          <StartsForm
            starts={starts}
            events={summary.events}
            classes={model.classes}
            seconds={model.signal.seconds_per_trial}
            onChange={(next) => {
              clear();
              setStarts(next);
            }}
          />
          <label class="choice">
            <input
              type="checkbox"
              checked={isAligned}
              onChange={({ currentTarget }) => {
                clear();
                setAligned(currentTarget.checked);
              }}
            />
            <span>
              Adapt to this recording
              <small class="hint">
                Centres the trials of one request together. It can help with a new day or another cap, if the recording
                has all classes.
              </small>
            </span>
          </label>
        </div>
      )}
      {summary && problem !== null && (
        <div class="notice bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {!plan && failure && <FailureMessage failure={failure} />}
      {plan && !rows && (
        <>
          <Price plan={plan} isFree={model.test} missing={missing} balance={me?.balance_usd ?? '0.00'} />
          {failure && <FailureMessage failure={failure} />}
          {failure && done > 0 && isResumable(failure) && (
            <p>
              {count(done)} of {plural(plan.at.length, 'trial')} are labelled already. They are not paid again.
            </p>
          )}
          <button
            type="button"
            data-testid="label-run"
            aria-busy={isRunning}
            disabled={isRunning || (missing !== null && done === 0)}
            onClick={() => void run(plan)}
          >
            {done > 0 && !isRunning ? 'Continue' : `Label ${plural(plan.at.length, 'trial')}`}
            {done === 0 && !model.test && ` for ${money(usdOf(plan))}`}
          </button>
          {isRunning && (
            <p role="status">
              <progress max={plan.at.length} value={done} aria-label="Trials that are labelled" />
              {count(done)} of {plural(plan.at.length, 'trial')}
            </p>
          )}
        </>
      )}
      <div ref={result}>
        {rows && (
          <LabelResult
            model={model}
            rows={rows}
            reader={reader}
            trialSeconds={model.signal.seconds_per_trial}
            fileName={name}
          />
        )}
      </div>
      <PastLabellings
        past={past}
        onClear={() => {
          clearLabellings(model.id);
          setPast([]);
        }}
      />
    </section>
  );
}

/** What the labels cost, before they are made. */
function Price({
  plan: { at, cutOff, parts, windows },
  plan,
  isFree,
  missing,
  balance,
}: {
  readonly plan: LabelPlan;
  readonly isFree: boolean;
  readonly missing: string | null;
  readonly balance: string;
}) {
  return (
    <>
      <p class="cost">
        <strong>{isFree ? 'Free' : money(usdOf(plan))}</strong> for {plural(at.length, 'trial')}
        {isFree ? ' (this is a test model)' : ` (${plural(windows, 'window')} of ${money(formatUsd(prices.window))})`}.
        {parts.length > 1 && ` They are sent in ${parts.length} parts.`}
        {cutOff > 0 &&
          ` ${plural(cutOff, 'trial')} at the edge of the recording ${cutOff === 1 ? 'is' : 'are'} left out.`}
        {!isFree && ` The same trials are not charged twice within ${limits.idempotencyKeyDays} days.`}
      </p>
      {missing !== null && (
        <p class="notice bad">
          Your balance is {money(balance)}, and {money(missing)} is missing. Choose fewer trials, or{' '}
          <a href="/dashboard/billing">look at your balance</a>.
        </p>
      )}
    </>
  );
}
