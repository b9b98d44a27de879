import { useEffect, useState } from 'preact/hooks';
import { sampleSource } from '../../../infra/recordings/sample/sample.ts';
import { ReportVerdict } from '../models/report-verdict.tsx';
import { trialShapeOf } from '../models/trial-shape.ts';
import { TrainingReport } from '../models/report.tsx';
import type { TaskModelAnswer } from '../models/response-types.ts';
import { SampleStart } from '../models/sample/sample-start.tsx';
import { useSession } from '../session.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** The report of a real model of the sample recording, for visitors without an account. */
export default function SampleReport() {
  const { me } = useSession();
  const [model, setModel] = useState<TaskModelAnswer | 'missing' | null>(null);
  useEffect(() => {
    void fetch('/sample/model.json')
      .then(async (answer) => (answer.ok ? ((await answer.json()) as TaskModelAnswer) : 'missing'))
      .then(setModel, () => setModel('missing'));
  }, []);
  return (
    <Page
      title="A sample report"
      lead="Real data: one person imagined moving both fists or both feet. The model was fitted on 24 trials of two runs."
      actions={me ? <SampleStart /> : <SignUp />}
    >
      {model === null && <Waiting what="the report" />}
      {model === 'missing' && <p class="notice bad">The report cannot be loaded. Load this page again.</p>}
      {model !== null && model !== 'missing' && model.training_report && (
        <>
          <ReportVerdict report={model.training_report} />
          <TrainingReport report={model.training_report} shape={trialShapeOf(model)} isOwn={false} />
        </>
      )}
      <p class="fine">{sampleSource}</p>
    </Page>
  );
}

const SignUp = () => (
  <a class="button" href="/dashboard/sign-up">
    Sign up and do the same
  </a>
);
