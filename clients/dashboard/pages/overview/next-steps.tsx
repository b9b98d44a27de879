import type { ComponentChildren } from 'preact';
import { SampleStart } from '../../models/sample/sample-start.tsx';
import { Copied } from '../../ui/copy.tsx';

/** Example of a first request: an estimate, which costs nothing. */
const firstRequest = (origin: string): string => `curl -s ${origin}/v1/task-models \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  --data '{
    "mode": "zero_shot",
    "description": "eyes closed versus eyes open at rest",
    "channels": ["O1", "Oz", "O2"],
    "sampling_rate_hz": 250,
    "trial_seconds": 4,
    "dry_run": true
  }'`;

interface Step {
  readonly title: ComponentChildren;
  readonly done: boolean;
  readonly how?: ComponentChildren;
}

const stepsOf = ({ hasTerms, hasKey, hasModel }: Record<'hasTerms' | 'hasKey' | 'hasModel', boolean>): Step[] => [
  { title: <a href="/dashboard/terms?next=%2Fdashboard">Read and accept the terms of service</a>, done: hasTerms },
  {
    title: 'Make your first model',
    done: hasModel,
    how: (
      <>
        <p>
          See the whole way first, with a real recording: it takes half a minute and is free. Or{' '}
          <a href="/dashboard/create">start with a recording of your own</a>.
        </p>
        <SampleStart />
      </>
    ),
  },
  {
    title: hasTerms ? <a href="/dashboard/keys">Make a key, to use a model from a program</a> : 'Make a key',
    done: hasKey,
    how: (
      <>
        <p>
          Programs sign their requests with it. Begin with a test key: it costs nothing. The{' '}
          <a href="/docs/quickstart">quickstart</a> shows how. This request only asks what a model would need; put your
          key into <code>KEY</code>:
        </p>
        <Copied text={firstRequest(location.origin)} label="command" block />
      </>
    ),
  },
];

/** Steps to the first model and the first key; empty once all are done. */
export function NextSteps(has: Record<'hasTerms' | 'hasKey' | 'hasModel', boolean>) {
  const steps = stepsOf(has);
  const next = steps.find(({ done }) => !done);
  if (!next) return null;
  return (
    <section class="card" aria-labelledby="next-steps">
      <h2 id="next-steps">What to do next</h2>
      <ol class="steps">
        {steps.map((step, i) => (
          <li key={i}>
            <span class={step.done ? 'mark done' : 'mark'} aria-hidden="true">
              {step.done ? '✓' : i + 1}
            </span>
            <div>
              <strong>{step.title}</strong>
              {step.done && <span class="unseen"> (done)</span>}
              {step === next && step.how && <div>{step.how}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
