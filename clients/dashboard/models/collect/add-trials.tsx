import { useEffect, useState } from 'preact/hooks';
import { formatUsd, prices } from '../../../../infra/contract/prices.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { asFailure, failed, Failure } from '../../fetch.ts';
import { FailureMessage } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { money, plural } from '../../ui/values.tsx';
import { batchesPrice } from '../create/cost.ts';
import { Events } from '../create/events.tsx';
import { Files } from '../create/files.tsx';
import { OpenQuestions } from '../create/open-questions.tsx';
import { SignalPreview } from '../create/preview.tsx';
import { UnitQuestion } from '../create/unit-question.tsx';
import { classesIn, draftFor, emptyDraft, saidOfOtherFiles, trialsPerClass, type Draft } from '../file/draft.ts';
import { sendBatches } from '../file/send.ts';
import type { FilesSummary } from '../file/summary.ts';
import type { CutSummary } from '../file/tasks.ts';
import { useRecordings } from '../file/use-recordings.ts';
import { remembered } from '../remembered.ts';
import type { TaskModelAnswer } from '../response-types.ts';

const rounded = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** The settings that the model was begun with, as far as this browser knows them. */
function firstDraft({ id, signal }: TaskModelAnswer): Draft {
  const known = remembered(id);
  const from = known?.from ?? 0;
  return {
    ...emptyDraft,
    classes: known?.classes ?? {},
    said: known?.said ?? {},
    from: rounded(from),
    to: rounded(from + signal.seconds_per_trial),
  };
}

/** Adds the trials of further recordings to a model that collects them. Length and channels are those of the model. */
export function AddTrials({
  model,
  onAdded,
}: {
  readonly model: TaskModelAnswer;
  readonly onAdded: (trials: number) => Promise<void>;
}) {
  const recordings = useRecordings();
  const { reader, summary, withoutRate } = recordings;
  const [draft, setDraft] = useState(() => firstDraft(model));
  /** Why the trials of the open files cannot be added. */
  const [problem, setProblem] = useState<string | null>(null);
  const [cut, setCut] = useState<CutSummary | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const open = async (files: readonly File[], said: Said = saidOfOtherFiles(draft.said)): Promise<void> => {
    setCut(null);
    setProblem(null);
    setFailure(null);
    const found = await recordings.open(files, said);
    if (!found) return;
    const { from, to } = draft;
    setDraft({ ...draftFor({ ...draft, said }, found), from, to });
  };
  useEffect(() => {
    if (!summary) return;
    void recordings
      .say(draft.said)
      .then((found) => found && setDraft((old) => ({ ...draftFor(old, found), from: old.from, to: old.to })));
  }, [draft.said]);
  useEffect(() => {
    let here = true;
    const leave = (): void => void (here = false);
    if (!summary) return leave;
    setCut(null);
    setProblem(null);
    if (trialsPerClass(draft, summary).size === 0) return leave;
    void reader.cut(choiceOf(draft, summary, model)).then(
      (found) => {
        if (!here) return;
        if (found.rateHz === model.signal.sampling_rate_hz) setCut(found);
        else
          setProblem(
            `The model has trials at ${model.signal.sampling_rate_hz} Hz, and this recording has ${found.rateHz} Hz.`,
          );
      },
      (error: Error) => here && setProblem(error.message),
    );
    return leave;
  }, [draft, summary]);
  const add = async (of: CutSummary): Promise<void> => {
    setFailure(null);
    setSent(0);
    try {
      const mode = model.test ? 'test' : 'live';
      await sendBatches(reader, { id: model.id, mode, batches: of.batches.length, onSent: setSent });
      await onAdded(of.batches.reduce((sum, trials) => sum + trials, 0));
    } catch (error) {
      setFailure(error instanceof Failure ? error : failed('RECORDING', asFailure(error).message, 422));
    } finally {
      setSent(null);
    }
  };
  const usd = cut && !model.test ? formatUsd(batchesPrice(cut)) : null;
  const length = model.signal.seconds_per_trial;
  return (
    <section class="card" aria-labelledby="add-heading">
      <h2 id="add-heading">Add recordings</h2>
      <div inert={sent !== null}>
        <Files
          summary={summary}
          reading={recordings.reading}
          problem={recordings.problem ?? problem}
          onChoose={(files) => void open(files)}
          onRate={withoutRate && ((rateHz) => void open(withoutRate, { ...draft.said, rateHz }))}
        />
        {summary && (
          <>
            <OpenQuestions
              needs={summary.needs}
              said={draft.said}
              onSay={(said) => setDraft((old) => ({ ...old, said }))}
            />
            <UnitQuestion summary={summary} said={draft.said} onSay={(said) => setDraft((old) => ({ ...old, said }))} />
          </>
        )}
        {summary && (
          <>
            <h3>Classes</h3>
            <Events summary={summary} draft={draft} onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
            <h3>Window</h3>
            <div class="pair">
              <Field
                name="from"
                label="From (s)"
                type="number"
                step="any"
                hint={`A trial of this model lasts ${rounded(length)} s.`}
                value={draft.from}
                onInput={({ currentTarget: { value } }) =>
                  setDraft((old) => ({ ...old, from: value, to: rounded(Number(value) + length) }))
                }
              />
            </div>
            <SignalPreview reader={reader} summary={summary} draft={draft} />
          </>
        )}
      </div>
      {cut?.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {failure && <FailureMessage failure={failure} />}
      {cut && (
        <>
          <p class="cost">
            <strong>{usd === null ? 'Free' : money(usd)}</strong> for{' '}
            {plural(
              cut.batches.reduce((sum, trials) => sum + trials, 0),
              'trial',
            )}
            {usd === null
              ? ' (this is a test model)'
              : ` (${plural(cut.windows, 'window')} of ${money(formatUsd(prices.window))})`}
            .
          </p>
          <button type="button" aria-busy={sent !== null} disabled={sent !== null} onClick={() => void add(cut)}>
            Add these trials{usd !== null && ` for ${money(usd)}`}
          </button>
          {sent !== null && (
            <p role="status">
              {sent} of {cut.batches.length} batches sent. Keep this page open.
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** The trials of the draft, with the channels of the model. */
const choiceOf = (draft: Draft, { files }: FilesSummary, { channels }: TaskModelAnswer) => {
  const ofFiles = files.map(({ kinds }, i) => {
    const classes = classesIn(draft, i);
    return Object.fromEntries(
      kinds.flatMap(({ text }) => {
        const label = Object.hasOwn(classes, text) ? classes[text].trim() : '';
        return label === '' ? [] : [[text, label]];
      }),
    );
  });
  return {
    classes: Object.fromEntries(ofFiles.flatMap((each) => Object.entries(each))),
    classesOfFile: Object.fromEntries(files.map(({ name }, i) => [name, ofFiles[i]])),
    window: [Number(draft.from), Number(draft.to)] as const,
    electrodes: channels,
    cutSpans: draft.cutSpans,
    said: draft.said,
  };
};
