import { useLocation } from 'preact-iso/router';
import { baselineOf, type Baseline } from '../../../infra/contract/verdict.ts';
import { Confusion } from '../charts/confusion.tsx';
import { Loaded } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { count, Time } from '../ui/values.tsx';
import { iso } from './badges.tsx';
import { ReportVerdict } from './report-verdict.tsx';
import type { TaskModelAnswer } from './response-types.ts';
import { readModel } from './service.ts';
import { useAnswer } from './use-answer.ts';

const nameOf = ({ name, description }: TaskModelAnswer): string => name ?? description;

const overlap = (a: Baseline, b: Baseline): boolean =>
  a.interval === null || b.interval === null || (a.interval[0] <= b.interval[1] && b.interval[0] <= a.interval[1]);

/** Which of two models is better, in a sentence. Scores of different classes cannot be compared. */
export function comparisonOf(a: TaskModelAnswer, b: TaskModelAnswer): string {
  if (!a.training_report || !b.training_report) return 'A model without a report cannot be compared.';
  if (a.classes.toSorted().join('\n') !== b.classes.toSorted().join('\n'))
    return 'The models have different classes, so their scores cannot be compared directly.';
  const [first, second] = [baselineOf(a.training_report), baselineOf(b.training_report)];
  if (!first.isExpected || !second.isExpected)
    return 'One of the scores holds for its own recording only, so the two cannot be compared.';
  const difference = Math.round(100 * Math.abs(first.score - second.score));
  if (difference === 0) return 'The two scores are equal.';
  if (overlap(first, second))
    return (
      `The scores differ by ${difference} percentage points. The difference may be chance: the intervals of the two ` +
      'scores overlap. More trials would tell.'
    );
  const [better, place] = first.score > second.score ? [a, 'first'] : [b, 'second'];
  const which = nameOf(a) === nameOf(b) ? `The ${place} model` : nameOf(better);
  return `${which} is better by ${difference} percentage points, and the intervals do not overlap.`;
}

const Column = ({ model, which }: { readonly model: TaskModelAnswer; readonly which: 'first' | 'second' }) => (
  <section aria-label={`The ${which} model`}>
    <h2>
      <a href={`/dashboard/models/${model.id}`}>{nameOf(model)}</a>
    </h2>
    {model.training_report && (
      <>
        <ReportVerdict
          report={model.training_report}
          name={`the ${which} model`}
          page={`/dashboard/models/${model.id}`}
        />
        <dl class="model-facts">
          <div>
            <dt>Created</dt>
            <dd>
              <Time at={iso(model.created)} />
            </dd>
          </div>
          <div>
            <dt>Trials</dt>
            <dd>{count(model.training_report.trials)}</dd>
          </div>
          <div>
            <dt>Classes</dt>
            <dd>{model.classes.join(', ')}</dd>
          </div>
          <div>
            <dt>Method</dt>
            <dd>{model.method?.title}</dd>
          </div>
          <div>
            <dt>Signal</dt>
            <dd>
              {model.signal.channels} channels, trials of {model.signal.seconds_per_trial} s
            </dd>
          </div>
        </dl>
        <Confusion report={model.training_report} />
      </>
    )}
  </section>
);

/** Two models side by side. */
export default function Compare() {
  const { query } = useLocation();
  const { a = '', b = '' } = query;
  const load = useAnswer(() => Promise.all([readModel(a), readModel(b)]), `${a} ${b}`);
  return (
    <Page title="Compare two models">
      <Loaded of={load} what="the models">
        {([first, second]) => (
          <>
            <p class="notice">{comparisonOf(first, second)}</p>
            <div class="compare">
              <Column model={first} which="first" />
              <Column model={second} which="second" />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
