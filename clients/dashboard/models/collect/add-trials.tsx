import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatUsd, prices } from '../../../../infra/contract/prices.ts';
import { faultOf } from '../../../../infra/recordings/fault.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { asFailure, failed, Failure } from '../../fetch.ts';
import { FailureMessage } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { money, plural } from '../../ui/values.tsx';
import { batchesPrice } from '../create/cost.ts';
import { Events } from '../create/events.tsx';
import { Files } from '../create/files.tsx';
import { SignalPreview } from '../create/preview.tsx';
import { UnitQuestion } from '../create/unit-question.tsx';
import { classesIn, draftFor, emptyDraft, saidOfOtherFiles, trialsPerClass, type Draft } from '../file/draft.ts';
import { startReader } from '../file/reader.ts';
import { sendBatches } from '../file/send.ts';
import type { FilesSummary } from '../file/summary.ts';
import type { CutSummary } from '../file/tasks.ts';
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
  const reader = useMemo(startReader, []);
  useEffect(() => () => reader.close(), []);
  const [draft, setDraft] = useState(() => firstDraft(model));
  const [summary, setSummary] = useState<FilesSummary | null>(null);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Files that do not say their sampling rate. */
  const [withoutRate, setWithoutRate] = useState<readonly File[] | null>(null);
  const [cut, setCut] = useState<CutSummary | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const turn = useRef(0);
  const open = async (files: readonly File[], said: Said = saidOfOtherFiles(draft.said)): Promise<void> => {
    const own = ++turn.current;
    setReading(true);
    setSummary(null);
    setCut(null);
    setFailure(null);
    setWithoutRate(null);
    const next = await reader.open(files, said).then(
      (found) => ({ found, error: null }),
      (error: Error) => ({ found: null, error }),
    );
    if (own !== turn.current) return;
    if (next.found) {
      const { from, to } = draft;
      setDraft({ ...draftFor({ ...draft, said }, next.found), from, to });
    }
    setSummary(next.found);
    setProblem(next.error?.message ?? null);
    setWithoutRate(faultOf(next.error) === 'no_rate' ? files : null);
    setReading(false);
  };
  const say = async (said: Said): Promise<void> => {
    const own = ++turn.current;
    const found = await reader.describe(said).catch(() => null);
    if (own !== turn.current || !found) return;
    setDraft((old) => ({ ...old, said }));
    setSummary(found);
  };
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
          reading={reading}
          problem={problem}
          onChoose={(files) => void open(files)}
          onRate={withoutRate && ((rateHz) => void open(withoutRate, { ...draft.said, rateHz }))}
        />
        {summary && <UnitQuestion summary={summary} said={draft.said} onSay={(said) => void say(said)} />}
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
            {usd !== null && ` (${plural(cut.windows, 'window')} of ${money(formatUsd(prices.window))})`}.
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
