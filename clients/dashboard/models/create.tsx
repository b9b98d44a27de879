import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Said } from '../../../infra/recordings/recording.ts';
import { asFailure, failed, Failure } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { FailureMessage } from '../ui/failure.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { TermsNotice, useHasTerms } from '../ui/terms-notice.tsx';
import { toast } from '../ui/toasts.tsx';
import { money } from '../ui/values.tsx';
import { Channels } from './create/channels.tsx';
import { DetailsOfModel } from './create/details.tsx';
import { costOf, missingOf } from './create/cost.ts';
import { EstimateShown } from './create/estimate.tsx';
import { Events } from './create/events.tsx';
import { Files } from './create/files.tsx';
import { OpenQuestions } from './create/open-questions.tsx';
import { Window } from './create/window.tsx';
import { filledIn, type FilledIn } from './file/choice-of.ts';
import { createFailed } from './file/failed-creates.ts';
import { idOfCreate } from './file/id-of-create.ts';
import { beganBefore } from './file/pay-once.ts';
import { startReader } from './file/reader.ts';
import { sendCreate, sendEstimate } from './file/send.ts';
import { isResumable } from './file/send-with-retries.ts';
import type { FilesSummary } from './file/summary.ts';
import type { CutSummary } from './file/tasks.ts';
import { RunningJobs, useJobs } from './running-jobs.tsx';
import { remember } from './remembered.ts';
import { SampleStart } from './sample/sample-start.tsx';
import type { EstimateAnswer, TaskModelAnswer } from './response-types.ts';

interface Estimated {
  readonly filled: FilledIn;
  readonly cut: CutSummary;
  readonly estimate: EstimateAnswer;
}

/** Shows the worker's errors at the page instead of at a field. */
const inWords = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure ? error : failed('RECORDING', (error as Error).message, 422);
  }
};

export default function Create() {
  const reader = useMemo(startReader, []);
  const here = useRef(true);
  const sending = useRef(false);
  // The upload continues if the person opens another page of the dashboard.
  useEffect(
    () => () => {
      here.current = false;
      if (!sending.current) reader.close();
    },
    [],
  );
  const [began, setBegan] = useState(beganBefore);
  const { route } = useLocation();
  const { me, refresh } = useSession();
  const hasTerms = useHasTerms();
  const [summary, setSummary] = useState<FilesSummary | null>(null);
  const [given, setGiven] = useState<{ files: readonly File[]; said: Said }>({ files: [], said: {} });
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [estimated, setEstimated] = useState<Estimated | null>(null);
  const [step, setStep] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const result = useRef<HTMLDivElement>(null);
  const opened = useRef(0);
  /** Version of the settings: an estimate of older settings is discarded. */
  const settings = useRef(0);
  const jobs = useJobs();
  useEffect(() => {
    if (estimated) result.current?.focus();
  }, [estimated]);
  const clear = (): void => {
    settings.current++;
    setEstimated(null);
  };

  const choose = async (files: readonly File[], answers: Said = {}): Promise<void> => {
    setGiven({ files, said: answers });
    const turn = ++opened.current;
    setReading(true);
    setProblem(null);
    setSummary(null);
    clear();
    const next = await reader.open(files, answers).then(
      (found) => ({ found, problem: null }),
      (error: Error) => ({ found: null, problem: error.message }),
    );
    if (turn !== opened.current) return;
    setSummary(next.found);
    setProblem(next.problem);
    setReading(false);
  };

  const estimate = async (values: FormData): Promise<void> => {
    clear();
    const turn = settings.current;
    setFailure(null);
    const filled = filledIn(values, summary!);
    const cut = await inWords(reader.cut(filled.choice));
    if (turn !== settings.current) return;
    const answer = await inWords(sendEstimate<EstimateAnswer>(reader, filled));
    if (turn !== settings.current) return;
    setEstimated({ filled, cut, estimate: answer });
    void refresh();
  };

  const create = async ({ filled, cut }: Estimated): Promise<void> => {
    setFailure(null);
    const batches = cut.batches.length;
    sending.current = true;
    if (batches > 1) addEventListener('beforeunload', staysOpen);
    let id: string | null = null;
    const send = async (onModel: (of: string) => void): Promise<TaskModelAnswer> => {
      try {
        return await inWords(sendCreate(reader, { ...filled, batches, onStep: setStep, onModel }));
      } catch (error) {
        if (id !== null) createFailed(id, asFailure(error));
        throw error;
      } finally {
        removeEventListener('beforeunload', staysOpen);
        sending.current = false;
        if (!here.current) reader.close();
        void refresh();
      }
    };
    try {
      id = await idOfCreate(send);
      remember(id, { classes: filled.choice.classes, from: filled.choice.window[0] });
      // The model page shows the scores as they arrive.
      if (here.current) route(`/dashboard/models/${id}`);
    } catch (error) {
      setFailure(asFailure(error));
      setBegan(beganBefore());
      if (!here.current) toast('The create has stopped. Open “Create a model” to go on.');
    } finally {
      setStep(null);
    }
  };

  const missing = estimated && me ? missingOf(costOf(estimated.estimate, estimated.cut).now, me.balance_usd) : null;
  return (
    <Page
      title="Create a model from a file"
      lead="Choose a recording with events, say what they mean, and see the cost before anything is paid."
    >
      {!hasTerms && <TermsNotice />}
      {began && step === null && failure === null && (
        <p class="notice warn" role="status">
          A create was begun in this tab, and its answer never came here. It may be running still, or be among your{' '}
          <a href="/dashboard/models">models</a>. With the same file and the same settings it is not paid twice.
        </p>
      )}
      <div inert={step !== null}>
        <Files
          summary={summary}
          reading={reading}
          problem={problem}
          beside={summary === null && !reading && <SampleStart secondary />}
          onChoose={(files) => void choose(files)}
        />
        {summary && (
          <OpenQuestions summary={summary} said={given.said} onSay={(said) => void choose(given.files, said)} />
        )}
      </div>
      {summary && (
        <div inert={step !== null} onInput={clear} onClick={clearsEstimate(clear)}>
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
            Your balance is {money(me!.balance_usd)}: {money(missing)} {began ? 'may be' : 'is'} missing for the whole
            create. Ask the operator of this service for credit, choose fewer trials, or make a test model, which is
            free.
          </p>
        )}
        {estimated && (
          <button
            type="button"
            aria-busy={step !== null}
            disabled={step !== null || (missing !== null && !began)}
            onClick={() => void create(estimated)}
          >
            {createWords(estimated)}
          </button>
        )}
        {step !== null && (
          <p role="status">
            {step} … It takes seconds to minutes.{' '}
            {estimated && estimated.cut.batches.length > 1
              ? 'Keep this page open until all batches are sent.'
              : 'The page of the model opens when the fit begins.'}
          </p>
        )}
      </div>
      {(step !== null || began) && <RunningJobs jobs={jobs} />}
    </Page>
  );
}

/** The browser asks before it closes the tab, because trials that are not sent are not fitted. */
const staysOpen = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Buttons that fill in a window also invalidate the estimate. */
const clearsEstimate =
  (clear: () => void) =>
  ({ target }: Event): void => {
    if ((target as HTMLElement).closest('.presets button')) clear();
  };

function createWords({ estimate, cut }: Estimated): string {
  const { now } = costOf(estimate, cut);
  return now === '0.00' ? 'Create the test model' : `Create the model for ${money(now)}`;
}
