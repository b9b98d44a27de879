import { Calibration } from '../charts/calibration.tsx';
import { Confusion } from '../charts/confusion.tsx';
import { Controls } from '../charts/controls.tsx';
import { HeadMap } from '../charts/head-map.tsx';
import { LearningCurve } from '../charts/learning-curve.tsx';
import { People } from '../charts/people.tsx';
import type { Report } from '../charts/report-type.ts';
import { Scores } from '../charts/scores.tsx';
import { reportWords } from './report-words.ts';

/** Warnings to read before the numbers. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <section class="notice warn" aria-label="Warnings">
      <p>
        <strong>{warnings.length === 1 ? 'One warning' : `${warnings.length} warnings`}</strong>
      </p>
      <ul>
        {warnings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** The evidence of a fit: warnings, then the numbers as text, then charts. */
export function TrainingReport({ report }: { readonly report: Report }) {
  return (
    <>
      <Warnings warnings={report.warnings} />
      <h2>Training report</h2>
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
      {report.network && (
        <p>
          A network that learned from other people took part. Its <a href={report.network.card}>model card</a> says how
          well it works, and for whom.
        </p>
      )}
      <div class="charts">
        <People report={report} />
        <Scores report={report} />
        <Confusion report={report} />
        <LearningCurve report={report} />
        <Calibration report={report} />
        <Controls report={report} />
        <HeadMap report={report} />
      </div>
    </>
  );
}
