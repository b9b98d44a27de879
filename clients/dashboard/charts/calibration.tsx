import { Figure } from './figure.tsx';
import { across, Plot, upwards } from './plot.tsx';
import type { Report } from './report-type.ts';
import { percent, percentInterval, rounded } from './words.ts';

const x = across(0, 1);
/** Radius of a circle of all trials; areas are proportional to the weights. */
const largest = 22;

/** Reliability diagram: share of correct labels at each probability. */
export function Calibration({ report }: { readonly report: Report }) {
  const bins = report.calibration_bins ?? [];
  if (bins.length === 0) return null;
  const title = 'Calibration';
  const description = 'How often a label is correct, for each probability that the model gives it.';
  const reading =
    'On the diagonal the probabilities are right: of labels with 80\u00A0% probability, 80\u00A0% are correct. Below it the ' +
    'probabilities are too high. The area of a circle shows its number of trials. The mean difference is ' +
    `${percent(report.calibration_error)}.`;
  const table = {
    head: ['Mean probability', 'Correct labels', 'Probabilities', 'Trials', 'Weight'],
    rows: bins.map((bin) => [
      percent(bin.mean_probability),
      percent(bin.accuracy),
      percentInterval([bin.lowest_probability, bin.highest_probability]),
      rounded(bin.trials, 1),
      percent(bin.weight),
    ]),
  };
  return (
    <Figure title={title} description={description} reading={reading} table={table}>
      <Plot
        title={title}
        description={description}
        x={x}
        ticks={x.ticks(5)}
        tickText={percent}
        xLabel="probability of the label"
        yLabel="share of correct labels"
      >
        <line class="chance" x1={x(0)} y1={upwards(0)} x2={x(1)} y2={upwards(1)} />
        {bins.map((bin, i) => (
          <g key={i}>
            <line
              class="interval"
              x1={x(bin.lowest_probability)}
              x2={x(bin.highest_probability)}
              y1={upwards(bin.accuracy)}
              y2={upwards(bin.accuracy)}
            />
            <circle
              class="dot see-through"
              cx={x(bin.mean_probability)}
              cy={upwards(bin.accuracy)}
              r={Math.max(3, largest * Math.sqrt(bin.weight))}
            />
          </g>
        ))}
      </Plot>
    </Figure>
  );
}
