import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { asFailure, failed, Failure } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { FailureMessage } from '../ui/failure.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { money } from '../ui/values.tsx';
import { Channels } from './create/channels.tsx';
import { DetailsOfModel } from './create/details.tsx';
import { costOf, EstimateShown } from './create/estimate.tsx';
import { Events } from './create/events.tsx';
import { Files } from './create/files.tsx';
import { Window } from './create/window.tsx';
import { filledIn, type FilledIn } from './file/choice-of.ts';
import { beganBefore } from './file/pay-once.ts';
import { startReader } from './file/reader.ts';
import { sendCreate, sendEstimate } from './file/send.ts';
import type { FilesSummary } from './file/summary.ts';
import type { CutSummary } from './file/tasks.ts';
import { RunningJobs, useJobs } from './running-jobs.tsx';
import type { EstimateAnswer } from './types.ts';

interface Estimated {
  readonly filled: FilledIn;
  readonly cut: CutSummary;
  readonly estimate: EstimateAnswer;
}

/** What the worker says in words, at the page. */
const inWords = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure ? error : failed('RECORDING', (error as Error).message, 422);
  }
};

export default function Create() {
  const reader = useMemo(startReader, []);
  useEffect(() => () => reader.close(), []);
  const began = useMemo(beganBefore, []);
  const { route } = useLocation();
  const { refresh } = useSession();
  const [summary, setSummary] = useState<FilesSummary | null>(null);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [estimated, setEstimated] = useState<Estimated | null>(null);
  const [step, setStep] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const result = useRef<HTMLDivElement>(null);
  const opened = useRef(0);
  const jobs = useJobs();
  useEffect(() => result.current?.focus(), [estimated]);

  const choose = async (files: readonly File[]): Promise<void> => {
    const turn = ++opened.current;
    setReading(true);
    setProblem(null);
    setSummary(null);
    setEstimated(null);
    const next = await reader.open(files).then(
      (found) => ({ found, problem: null }),
      (error: Error) => ({ found: null, problem: error.message }),
    );
    if (turn !== opened.current) return;
    setSummary(next.found);
    setProblem(next.problem);
    setReading(false);
  };

  const estimate = async (values: FormData): Promise<void> => {
    setEstimated(null);
    setFailure(null);
    const filled = filledIn(values, summary!);
    const cut = await inWords(reader.cut(filled.choice));
    setEstimated({ filled, cut, estimate: await inWords(sendEstimate<EstimateAnswer>(reader, filled)) });
  };

  const create = async ({ filled, cut }: Estimated): Promise<void> => {
    setFailure(null);
    try {
      const batches = cut.batches.length;
      const model = await inWords(sendCreate(reader, { ...filled, batches, onStep: setStep }));
      toast('The model is ready.');
      void refresh();
      route(`/dashboard/models/${model.id}`);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setStep(null);
    }
  };

  return (
    <Page
      title="Create a model from a file"
      lead="Choose a recording with events, say what they mean, and see the cost before anything is paid."
    >
      {began && step === null && (
        <p class="notice warn" role="status">
          A create was begun in this tab, and its answer never came here. It may be running still, or be among your{' '}
          <a href="/dashboard/models">models</a>. With the same file and the same settings it is not paid twice.
        </p>
      )}
      <Files summary={summary} reading={reading} problem={problem} onChoose={(files) => void choose(files)} />
      {summary && (
        <div
          inert={step !== null}
          onInput={() => setEstimated(null)}
          onClick={clearsEstimate(() => setEstimated(null))}
        >
          <Form submit="Show the estimate" onSubmit={estimate}>
            <Events events={summary.events} />
            <Window />
            <Channels channels={summary.channels} rateHz={summary.rateHz} />
            <DetailsOfModel />
          </Form>
        </div>
      )}
      <div ref={result} tabIndex={-1} aria-live="polite">
        {estimated && <EstimateShown {...estimated} />}
        {failure && <FailureMessage failure={failure} />}
        {estimated && (
          <button
            type="button"
            aria-busy={step !== null}
            disabled={step !== null}
            onClick={() => void create(estimated)}
          >
            {createWords(estimated)}
          </button>
        )}
        {step !== null && (
          <p role="status">
            {step} … It takes seconds to minutes; the model goes on being made if you leave this page.
          </p>
        )}
      </div>
      {(step !== null || began) && <RunningJobs jobs={jobs} />}
    </Page>
  );
}

/** Buttons of the form that fill in a window change what was estimated, too. */
const clearsEstimate =
  (clear: () => void) =>
  ({ target }: Event): void => {
    if ((target as HTMLElement).closest('.presets button')) clear();
  };

function createWords({ estimate, cut }: Estimated): string {
  const { now } = costOf(estimate, cut);
  return now === '0.00' ? 'Create the test model' : `Create the model for ${money(now)}`;
}
