import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobsAnswer } from '../../../api/account/contract/responses.ts';
import { percent } from '../charts/words.ts';
import { useLoad } from '../ui/load.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';

type Job = JobsAnswer['data'][number];
type Candidate = Job['candidates'][number];

/** Polling interval: with running fits, and without. */
const pollSeconds = { running: 1.5, idle: 4 } as const;

/** Name of a job. A model that is being created has no name yet. */
const nameOf = ({ name, description }: Job): string => name || description || 'A new model';

const words: Readonly<Record<Candidate['status'], string>> = {
  running: 'is being scored',
  scored: 'scored',
  failed: 'failed',
  dropped: 'dropped early',
};

/** A running fit: its scores as they arrive, the best first, and what is still being scored. */
export function RunningJob({ job, canNotify }: { readonly job: Job; readonly canNotify?: boolean }) {
  const order: readonly Candidate['status'][] = ['scored', 'running', 'dropped', 'failed'];
  const candidates = [...job.candidates].sort(
    (a, b) =>
      order.indexOf(a.status) - order.indexOf(b.status) || (b.balanced_accuracy ?? 0) - (a.balanced_accuracy ?? 0),
  );
  const done = candidates.filter(({ status }) => status !== 'running').length;
  return (
    <article class="job" aria-label={`Fit of ${nameOf(job)}`}>
      <h3>
        <a href={`/dashboard/models/${job.model_id}`}>{nameOf(job)}</a>{' '}
        {job.mode === 'test' && <span class="badge">test</span>}
      </h3>
      <p>
        Fitting since <Time at={job.started} />.{' '}
        {candidates.length === 0 ? 'Reading the trials.' : `${done} of ${candidates.length} candidates so far.`}{' '}
        {canNotify && <NotifyMe />}
      </p>
      <progress max={Math.max(1, candidates.length)} value={done} aria-label="Candidates that are done" />
      <ul class="candidates">
        {candidates.map(({ id, title, status, balanced_accuracy: score, reason, seconds }) => (
          <li key={id} class={status}>
            <span>{title}</span>
            {status === 'scored' && <meter min={0} max={1} value={score ?? 0} aria-hidden="true" />}
            <span class="score">
              {status === 'scored' ? percent(score) : words[status]}
              {seconds !== null && status === 'scored' && <small> in {Math.round(seconds * 10) / 10} s</small>}
              {status === 'failed' && reason && <small>: it could not read these trials</small>}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

/** Asks the browser for the right to notify. The page that is open sends the notification. */
function NotifyMe() {
  const [permission, setPermission] = useState(
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (permission === 'denied') return null;
  if (permission === 'granted') return <small>Your browser notifies you when it ends, if this page stays open.</small>;
  return (
    <button
      type="button"
      class="plain"
      onClick={() => void Notification.requestPermission().then((given) => setPermission(given))}
    >
      Notify me when it ends
    </button>
  );
}

/** Notifies a person who looks at another window. */
export function notifyEnd(name: string): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted' || !document.hidden) return;
  // Some browsers allow notifications from service workers only.
  try {
    const notification = new Notification('The fit has ended', { body: name });
    notification.addEventListener('click', () => focus());
  } catch {
    toast(`The fit of ${name} has ended.`);
  }
}

/** The running fits, polled every few seconds. `onEnd` is called when one ends. */
export function useJobs(onEnd?: () => void): readonly Job[] {
  const [isRunning, setRunning] = useState(true);
  const { data } = useLoad<JobsAnswer>('/jobs', { everySeconds: isRunning ? pollSeconds.running : pollSeconds.idle });
  const jobs = data?.data ?? [];
  const before = useRef<readonly string[]>([]);
  const names = jobs.map(({ job_id }) => job_id).join();
  useEffect(() => {
    const now = names === '' ? [] : names.split(',');
    if (before.current.some((id) => !now.includes(id))) onEnd?.();
    before.current = now;
    if (data) setRunning(now.length > 0);
  }, [names, data === null]);
  return jobs;
}

/** All running fits; empty if there are none. */
export function RunningJobs({ jobs, canNotify }: { readonly jobs: readonly Job[]; readonly canNotify?: boolean }) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Fits that run">
      <h2>Being fitted</h2>
      {jobs.map((job) => (
        <RunningJob key={job.job_id} job={job} canNotify={canNotify} />
      ))}
    </section>
  );
}
