import { useRoute } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import type { SharedReport } from '../../../api/account/contract/responses.ts';
import { asFailure, read, type Failure } from '../fetch.ts';
import { ReportVerdict } from '../models/report-verdict.tsx';
import { TrainingReport } from '../models/report.tsx';
import { FailureMessage } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/values.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** The report of a model that its owner shares by a link. It shows nothing of the account, and changes nothing. */
export default function SharedReportPage() {
  const { params } = useRoute();
  const [answer, setAnswer] = useState<SharedReport | Failure | null>(null);
  useEffect(() => {
    void read<SharedReport>(`/shared/${encodeURIComponent(params.token)}`).then(setAnswer, (error: unknown) =>
      setAnswer(asFailure(error)),
    );
  }, [params.token]);
  if (answer === null) return <Waiting what="the report" />;
  if (answer instanceof Error)
    return (
      <Page title="Shared report">
        {answer.status === 404 ? (
          <p class="notice warn">
            This link was ended, or its report is not here any more. Ask the person who sent it for a new link.
          </p>
        ) : (
          <FailureMessage failure={answer} />
        )}
      </Page>
    );
  const { description, classes, channels, sampling_rate_hz: rate, seconds_per_trial: seconds, fitted } = answer;
  return (
    <Page
      title={description}
      lead="A report on how well a classifier labels EEG trials. Its owner shares it by this link."
    >
      <ReportVerdict report={answer.training_report} />
      <TrainingReport
        report={answer.training_report}
        shape={{ electrodes: channels, rateHz: rate, seconds }}
        isOwn={false}
      />
      <section aria-labelledby="about-heading">
        <h2 id="about-heading">About this model</h2>
        <dl class="model-facts">
          <div>
            <dt>Classes</dt>
            <dd>{classes.join(', ')}</dd>
          </div>
          <div>
            <dt>Recording</dt>
            <dd>
              {channels} {channels === 1 ? 'electrode' : 'electrodes'} at {rate} samples per second
            </dd>
          </div>
          <div>
            <dt>Length of a trial</dt>
            <dd>{Math.round(seconds * 100) / 100} seconds</dd>
          </div>
          <div>
            <dt>Made</dt>
            <dd>
              <Time at={fitted} />
            </dd>
          </div>
        </dl>
      </section>
    </Page>
  );
}
