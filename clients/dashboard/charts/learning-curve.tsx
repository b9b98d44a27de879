import { line } from 'd3-shape';
import { baselineOf } from '../../../infra/contract/verdict.ts';
import { Figure } from './figure.tsx';
import { forecastWords } from './report-sentences.ts';
import { across, Plot, plotSize, upwards } from './plot.tsx';
import type { Report } from './report-type.ts';
import { percent, percentInterval, rounded } from './words.ts';

interface CurvePoint {
  readonly n: number;
  readonly score: number;
}

/** Data of the chart: the measured points, and the forecast for twice the trials. */
export function curveOf(report: Report): {
  points: CurvePoint[];
  forecast: (CurvePoint & { interval: readonly [number, number] | null }) | null;
} {
  const points = report.learning_curve.flatMap(({ trials_per_class: n, balanced_accuracy: score }) =>
    score === null ? [] : [{ n, score }],
  );
  const last = points.at(-1);
  const score = report.forecast?.balanced_accuracy_with_twice_the_trials ?? null;
  if (!last || score === null) return { points, forecast: null };
  const [low, high] = report.forecast?.interval_95_with_twice_the_trials ?? [];
  const interval = typeof low === 'number' && typeof high === 'number' ? ([low, high] as const) : null;
  return { points, forecast: { n: 2 * last.n, score, interval } };
}

/** The score on fractions of the trials, and the forecast for twice as many. */
export function LearningCurve({ report }: { readonly report: Report }) {
  const { points, forecast } = curveOf(report);
  if (points.length === 0) return null;
  const title = 'Learning curve';
  const description = forecastWords(report);
  const reading =
    'Each point is the score when the method learns from a part of the trials. ' +
    (forecast ? 'The hollow point is the forecast, with its 95\u00A0% interval. ' : '') +
    'The solid line is the score to expect.';
  const last = points.at(-1)!;
  const x = across(0, Math.max(1, forecast?.n ?? last.n) * 1.05);
  const path = line<CurvePoint>(
    ({ n }) => x(n),
    ({ score }) => upwards(score),
  );
  const table = {
    head: ['Trials per class', 'Score', '95\u00A0% interval'],
    rows: [
      ...points.map(({ n, score }) => [rounded(n, 1), percent(score), '–']),
      ...(forecast
        ? [[`${rounded(forecast.n, 1)} (forecast)`, percent(forecast.score), percentInterval(forecast.interval)]]
        : []),
    ],
  };
  const chance = upwards(report.chance);
  const expected = baselineOf(report).score;
  return (
    <Figure title={title} description={description} reading={reading} table={table}>
      <Plot
        title={title}
        description={description}
        x={x}
        ticks={x.ticks(5)}
        tickText={String}
        xLabel="training trials per class"
        yLabel="score"
      >
        <line class="chance" x1={plotSize.left} x2={plotSize.width - plotSize.right} y1={chance} y2={chance} />
        <text class="tick chance-word" x={plotSize.width - plotSize.right} y={chance + 13} text-anchor="end">
          guessing
        </text>
        <line
          class="expected"
          x1={plotSize.left}
          x2={plotSize.width - plotSize.right}
          y1={upwards(expected)}
          y2={upwards(expected)}
        />
        {forecast?.interval && (
          <line
            class="interval forecast"
            x1={x(forecast.n)}
            x2={x(forecast.n)}
            y1={upwards(forecast.interval[0])}
            y2={upwards(forecast.interval[1])}
          />
        )}
        {forecast && <path class="curve forecast" d={path([last, forecast]) ?? ''} />}
        <path class="curve" d={path(points) ?? ''} />
        {points.map(({ n, score }) => (
          <circle key={n} class="dot" cx={x(n)} cy={upwards(score)} r={4} />
        ))}
        {forecast && <circle class="dot hollow" cx={x(forecast.n)} cy={upwards(forecast.score)} r={5} />}
      </Plot>
    </Figure>
  );
}
