import { useEffect, useRef } from 'preact/hooks';
import type { JobsAnswer } from '../../../api/account/contract/responses.ts';
import { percent } from '../charts/words.ts';
import { useLoad } from '../ui/load.tsx';
import { Time } from '../ui/values.tsx';

type Job = JobsAnswer['data'][number];
type Candidate = Job['candidates'][number];

const everySeconds = 3;

/** Name of a job. A model that is being created has no name yet. */
const nameOf = ({ name, description }: Job): string => name || description || 'A new model';

const words: Readonly<Record<Candidate['status'], string>> = {
  running: 'is being scored',
  scored: 'scored',
  failed: 'failed',
  dropped: 'dropped after the first fold',
};

/** A running fit: its scored candidates, the best first. */
export function RunningJob({ job }: { readonly job: Job }) {
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
        Fitting since <Time at={job.started} />. {done} of {candidates.length} candidates so far.
      </p>
      <progress max={Math.max(1, candidates.length)} value={done} aria-label="Candidates that are done" />
      <ul class="candidates">
        {candidates.map(({ id, title, status, balanced_accuracy: score, reason, seconds }) => (
          <li key={id} class={status}>
            <span>{title}</span>{' '}
            <span>
              {status === 'scored' ? percent(score) : words[status]}
              {seconds !== null && status === 'scored' && <small> in {Math.round(seconds * 10) / 10} s</small>}
              {reason && <small>: {reason}</small>}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

/** The running fits, polled every few seconds. `onEnd` is called when one ends. */
export function useJobs(onEnd?: () => void): readonly Job[] {
  const { data } = useLoad<JobsAnswer>('/jobs', { everySeconds });
  const jobs = data?.data ?? [];
  const before = useRef<readonly string[]>([]);
  const names = jobs.map(({ job_id }) => job_id).join();
  useEffect(() => {
    const now = names === '' ? [] : names.split(',');
    if (before.current.some((id) => !now.includes(id))) onEnd?.();
    before.current = now;
  }, [names]);
  return jobs;
}

/** All running fits; empty if there are none. */
export function RunningJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Fits that run">
      <h2>Being fitted</h2>
      {jobs.map((job) => (
        <RunningJob key={job.job_id} job={job} />
      ))}
    </section>
  );
}
