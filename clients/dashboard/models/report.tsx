import { Calibration } from '../charts/calibration.tsx';
import { Confusion } from '../charts/confusion.tsx';
import { Controls } from '../charts/controls.tsx';
import { HeadMap } from '../charts/head-map.tsx';
import { LearningCurve } from '../charts/learning-curve.tsx';
import { methodsSection, type TrialShape } from '../charts/methods-section.ts';
import { People } from '../charts/people.tsx';
import type { Report } from '../charts/report-type.ts';
import { Scores } from '../charts/scores.tsx';
import { reportWords } from './report-words.ts';
import { Points } from './points.tsx';
import { warningWords } from './warning-words.ts';

/** Id of the points to check in a report. */
export const pointsBox = 'points-to-check';

/** Points that the service found in the trials or the scores. They are open at once if the score may be wrong. */
export function Warnings({
  warnings,
  open,
  isOwn = true,
  id,
}: {
  readonly warnings: readonly string[];
  readonly open?: boolean;
  readonly isOwn?: boolean;
  readonly id?: string;
}) {
  if (warnings.length === 0) return null;
  const points = warnings.map(warningWords);
  const count = new Set(points.map(({ words }) => words)).size;
  return (
    <details id={id} class="notice warn" open={open ?? points.some(({ severity }) => severity === 'doubt')}>
      <summary>{count === 1 ? 'One point to check' : `${count} points to check`}</summary>
      <Points points={points} withHelp={isOwn} />
    </details>
  );
}

/**
 * The evidence of a fit: pictures first, then every number with its meaning. The verdict is above it. `isOwn`: the
 * reader can make the model again.
 */
export function TrainingReport({
  report,
  shape,
  isOwn = true,
}: {
  readonly report: Report;
  readonly shape: TrialShape;
  readonly isOwn?: boolean;
}) {
  return (
    <section class="report" aria-labelledby="report-heading">
      <div class="head">
        <h2 id="report-heading">Report</h2>
        <button type="button" class="secondary outline small" data-testid="report-print" onClick={() => print()}>
          Print the report
        </button>
      </div>
      <Warnings id={pointsBox} warnings={report.warnings} isOwn={isOwn} />
      <div class="pictures">
        <People report={report} />
        <Scores report={report} />
        <Confusion report={report} />
        <Controls report={report} />
        <LearningCurve report={report} />
        <Calibration report={report} />
        <HeadMap report={report} />
      </div>
      {report.network && (
        <p>
          A network that learned from other people took part. Its <a href={report.network.card}>model card</a> says how
          well it works, and for whom.
        </p>
      )}
      <details class="report-method" data-testid="report-method">
        <summary>Method: what was compared, and how it was scored</summary>
        <dl class="model-facts">
          {methodsSection(report, shape).map(({ heading, words }) => (
            <div key={heading}>
              <dt>{heading}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </details>
      <details class="report-details">
        <summary>Details: every number with its meaning</summary>
        <dl class="report-figures">
          {reportWords(report).map(({ what, value, meaning }) => (
            <div key={what}>
              <dt>
                {what} <strong>{value}</strong>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
