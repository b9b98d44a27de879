import { useRoute } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../session.tsx';
import { Copied } from '../ui/copy.tsx';
import { FailureMessage } from '../ui/failure.tsx';
import { Loaded } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { money, Time, windowWords } from '../ui/values.tsx';
import { Collecting } from './collect/collecting.tsx';
import { Badges, endOf, iso } from './badges.tsx';
import { ModelSettings } from './model-settings.tsx';
import { failureOfCreate } from './file/failed-creates.ts';
import { LabelRecording } from './label/label.tsx';
import { ReportVerdict } from './report-verdict.tsx';
import { trialShapeOf } from './trial-shape.ts';
import { TrainingReport, Warnings } from './report.tsx';
import { notifyEnd, RunningJobs, useJobs } from './running-jobs.tsx';
import { ShareReport } from './share.tsx';
import { readModel } from './service.ts';
import { SignalReport } from './signal.tsx';
import { snippets } from './snippets.ts';
import type { TaskModelAnswer } from './response-types.ts';
import { useAnswer } from './use-answer.ts';
import { limits } from '../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../infra/contract/prices.ts';

function Facts({ model }: { readonly model: TaskModelAnswer }) {
  const when = (seconds: number) => <Time at={iso(seconds)} />;
  const end = endOf(model);
  return (
    <dl class="model-facts">
      <Fact what="Id">
        <code>{model.id}</code>
      </Fact>
      <Fact what="Task">{model.description}</Fact>
      <Fact what="Classes">{model.classes.join(', ')}</Fact>
      {model.method && (
        <Fact what="Method">
          {model.method.title} <small>Version {model.method.version}. It never changes.</small>
        </Fact>
      )}
      <Fact what="Created">{when(model.created)}</Fact>
      <Fact what={model.test ? 'Will be deleted on' : 'Expires'}>{end === Infinity ? 'never' : when(end)}</Fact>
      {model.fit_before !== null && <Fact what="Fit before">{when(model.fit_before)}</Fact>}
      <Fact what="Costs">
        {model.test ? (
          'Nothing: it is a test model.'
        ) : (
          <>
            {money(formatUsd(prices.hostingMonth))} for each month of {limits.hostingDays} days
            {model.paid_through !== null && <>, paid through {when(model.paid_through)}</>}
            {model.next_charge_at !== null && <>, next charge {when(model.next_charge_at)}</>};{' '}
            {money(formatUsd(prices.window))} for each window that it labels. {windowWords}
          </>
        )}
      </Fact>
    </dl>
  );
}

const Fact = ({ what, children }: { readonly what: string; readonly children: preact.ComponentChildren }) => (
  <div>
    <dt>{what}</dt>
    <dd>{children}</dd>
  </div>
);

/** What the participant does for each class of a zero-shot model. */
function Explanation({ model }: { readonly model: TaskModelAnswer }) {
  if (!model.explanation) return null;
  return (
    <section>
      <h2>What the participants did</h2>
      <dl class="model-facts">
        {Object.entries(model.explanation).map(([label, words]) => (
          <Fact key={label} what={label}>
            {words}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Snippets({ model }: { readonly model: TaskModelAnswer }) {
  return (
    <details class="code">
      <summary>Label trials from a program</summary>
      <p>
        With a <a href="/dashboard/keys">key</a> that stays on your server; the channels may come in any order.
      </p>
      {snippets.map(({ language, write }, i) => (
        <details key={language} open={i === 0}>
          <summary>{language}</summary>
          <Copied block label={`${language} example`} text={write(model, location.origin)} />
        </details>
      ))}
    </details>
  );
}

function Hosted({
  model,
  onChange,
}: {
  readonly model: TaskModelAnswer;
  readonly onChange: (model: TaskModelAnswer) => void;
}) {
  return (
    <>
      {model.training_report && <ReportVerdict report={model.training_report} />}
      {model.status === 'active' && <LabelRecording key={model.id} model={model} />}
      {model.warnings && <Warnings warnings={model.warnings} open />}
      {model.training_report ? (
        <TrainingReport report={model.training_report} shape={trialShapeOf(model)} />
      ) : (
        <Collecting model={model} onChange={onChange} />
      )}
      <Explanation model={model} />
      <section aria-labelledby="about-heading">
        <h2 id="about-heading">About this model</h2>
        <Facts model={model} />
        <SignalReport model={model} />
        {model.status === 'active' && <Snippets model={model} />}
      </section>
      {model.status === 'active' && model.training_report && <ShareReport key={model.id} modelId={model.id} />}
      <ModelSettings model={model} onChange={onChange} />
    </>
  );
}

export default function ModelPage() {
  const { params } = useRoute();
  const [turn, setTurn] = useState(0);
  const { refresh } = useSession();
  const jobs = useJobs(() => {
    setTurn((before) => before + 1);
    notifyEnd(title);
    void refresh();
  }).filter(({ model_id }) => model_id === params.id);
  const load = useAnswer(() => readModel(params.id), params.id, turn);
  const [seen, setSeen] = useState('');
  useEffect(() => {
    if (jobs.length > 0) setSeen(params.id);
  }, [jobs.length, params.id]);
  const failed =
    seen === params.id && turn > 0 && load.turn === turn && load.failure?.error.code === 'CLASSIFIER_NOT_FOUND';
  const failure = failureOfCreate(params.id);
  const title = load.data?.name ?? load.data?.description ?? jobs[0]?.name ?? 'Model';
  return (
    <Page title={title} lead={load.data && <Badges model={load.data} />}>
      <RunningJobs jobs={jobs} canNotify />
      {jobs.length === 0 && failed && (
        <>
          <p class="notice bad" role="status">
            The fit has ended without a model, and nothing was charged for it.{' '}
            <a href="/dashboard/create">Choose other settings</a>, such as a longer window or more trials.
          </p>
          {failure && <FailureMessage failure={failure} />}
        </>
      )}
      {((jobs.length === 0 && !failed) || load.data) && (
        <Loaded of={load} what="the model">
          {(model) => <Hosted model={model} onChange={load.set} />}
        </Loaded>
      )}
    </Page>
  );
}
