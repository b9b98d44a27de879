import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Said } from '../../../infra/recordings/recording.ts';
import { asFailure, failed, Failure } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { TermsNotice, useHasTerms } from '../ui/terms-notice.tsx';
import { toast } from '../ui/toasts.tsx';
import { Channels } from './create/channels.tsx';
import { CreateStep, type Estimated } from './create/create-step.tsx';
import { DetailsOfModel, Task } from './create/details.tsx';
import { Events } from './create/events.tsx';
import { Files } from './create/files.tsx';
import { OpenQuestions } from './create/open-questions.tsx';
import { findingsOfAll } from './create/findings-of-all.ts';
import { SignalPreview } from './create/preview.tsx';
import { Step, Steps } from './create/steps.tsx';
import { openSteps, useDraft } from './create/use-draft.ts';
import { Window } from './create/window.tsx';
import { filledIn } from './file/choice-of.ts';
import { draftFor, dropDraft, saidOfOtherFiles } from './file/draft.ts';
import { createFailed } from './file/failed-creates.ts';
import { idOfCreate } from './file/id-of-create.ts';
import { beganBefore } from './file/pay-once.ts';
import { sendCreate, sendEstimates } from './file/send.ts';
import { useRecordings } from './file/use-recordings.ts';
import { RunningJobs, useJobs } from './running-jobs.tsx';
import { remember } from './remembered.ts';
import { SampleStart } from './sample/sample-start.tsx';
import type { EstimateAnswer, TaskModelAnswer } from './response-types.ts';

/** Shows the worker's errors at the page instead of at a field. */
const inWords = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure ? error : failed('RECORDING', (error as Error).message, 422);
  }
};

export default function Create() {
  const recordings = useRecordings();
  const { reader, summary, withoutRate } = recordings;
  const [began, setBegan] = useState(beganBefore);
  const { route } = useLocation();
  const { me, refresh } = useSession();
  const hasTerms = useHasTerms();
  const [estimated, setEstimated] = useState<Estimated | null>(null);
  const [step, setStep] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const result = useRef<HTMLDivElement>(null);
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
  const { draft, change, startOver, isKept } = useDraft(clear);
  const [reached, setReached] = useState(1);
  const open = Math.max(reached, openSteps(draft, summary));
  useEffect(() => setReached(open), [open]);
  useEffect(() => {
    if (!summary) return;
    void recordings.say(draft.said).then((found) => found && change((before) => draftFor(before, found)));
  }, [draft.said]);

  const choose = async (files: readonly File[], said: Said = saidOfOtherFiles(draft.said)): Promise<void> => {
    setReached(1);
    clear();
    const found = await recordings.open(files, said);
    if (found) change(draftFor({ ...draft, said }, found));
  };

  const estimate = async (): Promise<void> => {
    clear();
    const turn = settings.current;
    setFailure(null);
    const filled = filledIn(draft, summary!);
    const cut = await inWords(reader.cut(filled.choice));
    if (turn !== settings.current) return;
    const answers = await inWords(sendEstimates<EstimateAnswer>(reader, { ...filled, batches: cut.batches.length }));
    if (turn !== settings.current) return;
    setEstimated({ filled, cut, estimate: { ...answers[0], findings: findingsOfAll(answers, cut) } });
    void refresh();
  };

  const create = async ({ filled, cut }: Estimated): Promise<void> => {
    setFailure(null);
    const batches = cut.batches.length;
    if (batches > 1) addEventListener('beforeunload', staysOpen);
    let id: string | null = null;
    const send = async (onModel: (of: string) => void): Promise<TaskModelAnswer> => {
      try {
        // The upload continues if the person opens another page of the dashboard.
        return await recordings.whileSending(() =>
          inWords(sendCreate(reader, { ...filled, batches, onStep: setStep, onModel })),
        );
      } catch (error) {
        if (id !== null) createFailed(id, asFailure(error));
        throw error;
      } finally {
        removeEventListener('beforeunload', staysOpen);
        void refresh();
      }
    };
    try {
      id = await idOfCreate(send);
      remember(id, { classes: filled.choice.classes, from: filled.choice.window[0], said: draft.said });
      dropDraft();
      // The model page shows the scores as they arrive.
      if (recordings.isHere()) route(`/dashboard/models/${id}`);
    } catch (error) {
      setFailure(asFailure(error));
      setBegan(beganBefore());
      if (!recordings.isHere()) toast('The create has stopped. Open “Create a model” to go on.');
    } finally {
      setStep(null);
    }
  };

  return (
    <Page
      title="Create a model from a file"
      lead={
        <>
          Choose a recording with events, say what they mean, and see the cost before anything is paid. No labelled
          trials? <a href="/dashboard/without-trials">Use recordings of other people</a>.
        </>
      }
    >
      {!hasTerms && <TermsNotice />}
      {began && step === null && failure === null && (
        <p class="notice warn" role="status">
          A create was begun in this tab, and its answer never came here. It may be running still, or be among your{' '}
          <a href="/dashboard/models">models</a>. With the same file and the same settings it is not paid twice.
        </p>
      )}
      <Steps open={estimated ? 5 : open} />
      {isKept && summary === null && (
        <p class="notice" role="status">
          Your settings of the last visit are kept. Choose the same files again to go on.{' '}
          <button type="button" class="plain" onClick={startOver}>
            Start with empty settings
          </button>
        </p>
      )}
      <div inert={step !== null}>
        <Step step={0} title="Files" waitsFor={null}>
          <Files
            summary={summary}
            reading={recordings.reading}
            problem={recordings.problem}
            beside={summary === null && !recordings.reading && <SampleStart secondary />}
            onChoose={(files) => void choose(files)}
            onRate={withoutRate && ((rateHz) => void choose(withoutRate, { ...draft.said, rateHz }))}
          />
          {summary && <OpenQuestions needs={summary.needs} said={draft.said} onSay={(said) => change({ said })} />}
        </Step>
      </div>
      <div inert={step !== null}>
        <Form submit={open >= 4 ? 'Show the estimate' : null} onSubmit={estimate}>
          <Step step={1} title="Classes" waitsFor={open >= 2 ? null : 'What the model tells apart.'}>
            {summary && (
              <>
                <Events summary={summary} draft={draft} onChange={change} />
                {summary.events.length > 0 && <Task draft={draft} onChange={change} />}
              </>
            )}
          </Step>
          <Step
            step={2}
            title="Signal"
            waitsFor={open >= 3 ? null : open === 2 ? 'Name at least two classes first.' : 'Which part of it is used.'}
          >
            {summary && (
              <>
                <Window summary={summary} draft={draft} onChange={change} />
                <SignalPreview reader={reader} summary={summary} draft={draft} />
                <Channels summary={summary} draft={draft} onChange={change} />
              </>
            )}
          </Step>
          <Step
            step={3}
            title="Price"
            waitsFor={
              open >= 4 ? null : open === 3 ? 'At least one electrode is needed first.' : 'What the model costs.'
            }
          >
            <DetailsOfModel draft={draft} onChange={change} />
          </Step>
        </Form>
      </div>
      <div ref={result} tabIndex={-1} aria-live="polite" class="result">
        <CreateStep
          estimated={estimated}
          balance={me?.balance_usd ?? null}
          began={began}
          step={step}
          failure={failure}
          onCreate={(each) => void create(each)}
        />
      </div>
      {(step !== null || began) && <RunningJobs jobs={jobs} />}
    </Page>
  );
}

/** The browser asks before it closes the tab, because trials that are not sent are not fitted. */
const staysOpen = (event: BeforeUnloadEvent): void => event.preventDefault();
