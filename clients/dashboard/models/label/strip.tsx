import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Reader } from '../file/reader.ts';
import { useWidth } from '../../ui/use-width.ts';
import { median, type Envelope } from './envelope.ts';
import { stripBlocks } from './strip-blocks.ts';
import type { LabelRows } from './label-csv.ts';

const traceHeight = 90;
const rowHeight = 22;
const axisHeight = 22;
/** Columns of the envelope. */
const columns = 1200;
/** Colours repeat after these. */
const colours = 8;

export const colourOf = (classes: readonly string[], label: string): string =>
  `class-${Math.max(0, classes.indexOf(label)) % colours}`;

const clock = (seconds: number, step: number): string => {
  if (step < 1) return `${Math.round(seconds * 10) / 10} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)} h` : `${minutes}:${two(Math.round(seconds % 60))}`;
};

/** The signal of one electrode, with the labels and the known classes below it on the same time axis. */
export function Strip({
  reader,
  rows,
  electrodes,
  trialSeconds,
}: {
  readonly reader: Pick<Reader, 'envelope'>;
  readonly rows: LabelRows;
  readonly electrodes: readonly string[];
  readonly trialSeconds: number;
}) {
  const [figure, width] = useWidth<HTMLElement>(900);
  const [electrode, setElectrode] = useState(electrodes.includes('Cz') ? 'Cz' : electrodes[0]);
  const [envelope, setEnvelope] = useState<Envelope | null>(null);
  const id = useId();
  useEffect(() => {
    let here = true;
    void reader.envelope(electrode, columns).then(
      (found) => here && setEnvelope(found),
      () => undefined,
    );
    return () => void (here = false);
  }, [reader, electrode]);
  const { classes, begins, trials, truth } = rows;
  const hasTruth = truth.some((each) => each !== null);
  const labels = trials.map(({ label }) => label);
  return (
    <figure class="strip" ref={figure}>
      <figcaption>
        <strong>The recording with its labels</strong>
        <label class="inline">
          <span>Electrode</span>
          <select value={electrode} onChange={({ currentTarget }) => setElectrode(currentTarget.value)}>
            {electrodes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </figcaption>
      <ul class="legend">
        {classes.map((name) => (
          <li key={name} class={colourOf(classes, name)}>
            {name}
          </li>
        ))}
      </ul>
      {envelope && (
        <svg
          viewBox={`0 0 ${width} ${traceHeight + (hasTruth ? 2 : 1) * (rowHeight + 4) + axisHeight}`}
          role="img"
          aria-labelledby={id}
        >
          <title id={id}>
            {`Signal of ${envelope.electrode} over ${Math.round(envelope.seconds)} s, with ${labels.length} labels below it. The table has them all.`}
          </title>
          <Axis seconds={envelope.seconds} width={width} top={traceHeight + (hasTruth ? 2 : 1) * (rowHeight + 4)} />
          <Trace envelope={envelope} width={width} />
          <Blocks
            name="labels"
            top={traceHeight}
            blocks={stripBlocks(begins, labels, { seconds: envelope.seconds, trialSeconds, width })}
            classes={classes}
          />
          {hasTruth && (
            <Blocks
              name="known"
              top={traceHeight + rowHeight + 4}
              blocks={stripBlocks(begins, truth, { seconds: envelope.seconds, trialSeconds, width })}
              classes={classes}
            />
          )}
        </svg>
      )}
      {hasTruth && <small>The upper row has the labels of the model, the lower row the classes of the events.</small>}
    </figure>
  );
}

/** The envelope. Its scale fits nearly all columns, so that one artefact does not flatten the rest. */
function Trace({ envelope: { low, high }, width }: { readonly envelope: Envelope; readonly width: number }) {
  const typical = median(high.map((each, i) => each - low[i])) || 1;
  const x = scaleLinear([0, low.length], [0, width]);
  const y = scaleLinear([-1.6 * typical, 1.6 * typical], [traceHeight - 4, 4]).clamp(true);
  const path = area<number>()
    .x((_, i) => x(i))
    .y0((_, i) => y(low[i]) + 0.4)
    .y1((each) => y(each) - 0.4);
  return <path class="trace" d={path(high as number[]) ?? ''} />;
}

function Blocks({
  name,
  top,
  blocks,
  classes,
}: {
  readonly name: string;
  readonly top: number;
  readonly blocks: ReturnType<typeof stripBlocks>;
  readonly classes: readonly string[];
}) {
  return (
    <g>
      {blocks.map(({ x, width, label }, i) => (
        <g key={i}>
          <rect
            class={`${colourOf(classes, label)} ${name}`}
            x={x}
            y={top}
            width={Math.max(1, width > 6 ? width - 1 : width)}
            height={rowHeight}
          />
          {width > 9 * Math.min(label.length, 12) && (
            <text x={x + width / 2} y={top + rowHeight - 7} text-anchor="middle">
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

function Axis({ seconds, width, top }: { readonly seconds: number; readonly width: number; readonly top: number }) {
  const x = scaleLinear([0, seconds], [0, width]);
  const steps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400];
  const step = steps.find((each) => seconds / each <= Math.max(2, width / 90)) ?? 86_400;
  const ticks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step);
  return (
    <g class="axis">
      {ticks.map((tick, i) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={0} y2={top} />
          <text
            x={Math.min(x(tick), width - 2)}
            y={top + 14}
            text-anchor={i === 0 ? 'start' : x(tick) > width - 24 ? 'end' : 'middle'}
          >
            {clock(tick, step)}
          </text>
        </g>
      ))}
    </g>
  );
}
