import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';
import { useId } from 'preact/hooks';
import { startsIn } from '../../../../infra/recordings/epochs.ts';
import type { Preview, PreviewTrace } from '../file/preview.ts';
import { colourOf } from '../label/strip.tsx';

const gutter = 44;
const top = 24;
const rowHeight = 42;
const axisHeight = 22;

/** Round numbers of microvolts for the scale. */
const roundScales = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** Traces, events as lines, and the windows of the trials. */
export function PreviewPicture({
  preview: { traces, events, from, seconds },
  width,
  classes,
  allClasses,
  window,
  cutSpans,
}: {
  readonly preview: Preview;
  readonly width: number;
  /** Event → class in this file. */
  readonly classes: Readonly<Record<string, string>>;
  /** Every class, for the colours. */
  readonly allClasses: readonly string[];
  /** Seconds from the event; null: not chosen. */
  readonly window: readonly [number, number] | null;
  readonly cutSpans: boolean;
}) {
  const id = useId();
  const x = scaleLinear([from, from + seconds], [gutter, width]);
  const bottom = top + rowHeight * traces.length;
  const isChosen = (text: string): boolean => Object.hasOwn(classes, text);
  const trials = window
    ? events
        .filter(({ text }) => isChosen(text))
        .flatMap((event) =>
          startsIn(event, window, cutSpans, Infinity).map((at) => ({
            begin: at + window[0],
            end: at + window[1],
            label: classes[event.text],
          })),
        )
        .filter(({ begin, end }) => end > from && begin < from + seconds)
    : [];
  const inside = (value: number): number => Math.min(width, Math.max(gutter, x(value)));
  const marks = spacedMarks(
    events.filter(({ onset }) => onset >= from && onset <= from + seconds),
    x,
  );
  const half = 0.8 * usualReach(traces);
  const bar = roundScales.findLast((each) => each <= half) ?? roundScales[0];
  const barHeight = (bar / (2 * half)) * rowHeight;
  return (
    <svg viewBox={`0 0 ${width} ${bottom + axisHeight}`} role="img" aria-labelledby={id} data-testid="create-preview">
      <title id={id}>
        {`Signal of ${traces.map(({ electrode }) => electrode).join(', ')} from ${rounded(from)} s to ` +
          `${rounded(from + seconds)} s, with ${trials.length} trials.`}
      </title>
      {trials.map(({ begin, end, label }, i) => (
        <rect
          key={i}
          class={`trial ${colourOf(allClasses, label)}`}
          x={inside(begin)}
          y={top}
          width={Math.max(0, inside(end) - inside(begin) - 1)}
          height={bottom - top}
        />
      ))}
      <Ticks from={from} seconds={seconds} x={x} bottom={bottom} width={width} />
      {traces.map((trace, i) => (
        <Trace key={trace.electrode} trace={trace} half={half} width={width} y={top + rowHeight * i} />
      ))}
      {marks.map(({ onset, text, isNamed }, i) => (
        <g key={i} class={isChosen(text) ? `event ${colourOf(allClasses, classes[text])}` : 'event ignored'}>
          <line x1={x(onset)} x2={x(onset)} y1={top - 6} y2={bottom} />
          {isNamed && (
            <text
              x={x(onset) > width - 70 ? x(onset) - 3 : x(onset) + 3}
              y={12}
              text-anchor={anchorAt(x(onset), width)}
            >
              {isChosen(text) ? classes[text].slice(0, 24) : text.slice(0, 24)}
            </text>
          )}
        </g>
      ))}
      <g class="scale">
        <line x1={width - 4} x2={width - 4} y1={bottom - 3 - barHeight} y2={bottom - 3} />
        <text x={width - 9} y={bottom - 6} text-anchor="end">
          {bar >= 1000 ? `${bar / 1000} mV` : `${bar} µV`}
        </text>
      </g>
    </svg>
  );
}

/** Microvolts that nearly all values stay below, so that one artefact does not flatten the rest. */
function usualReach(traces: readonly PreviewTrace[]): number {
  const reaches = traces
    .flatMap(({ low, high }) => Array.from(high, (each, i) => Math.max(each, -low[i])))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return reaches[Math.floor(0.97 * reaches.length)] || 1;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const anchorAt = (at: number, width: number): 'start' | 'end' => (at > width - 70 ? 'end' : 'start');

/** Leaves out the names of events that would stand on the name before. */
function spacedMarks<T extends { readonly onset: number }>(events: readonly T[], x: (onset: number) => number) {
  let last = -Infinity;
  return events.map((event) => {
    const isNamed = x(event.onset) - last >= 72;
    if (isNamed) last = x(event.onset);
    return { ...event, isNamed };
  });
}

function Trace({
  trace: { electrode, low, high },
  half,
  width,
  y: rowTop,
}: {
  readonly trace: PreviewTrace;
  /** Microvolts from the middle of a row to its edge. */
  readonly half: number;
  readonly width: number;
  readonly y: number;
}) {
  const x = scaleLinear([0, low.length], [gutter, width]);
  // A loud trace may reach into its neighbours, but not over the whole picture.
  const y = scaleLinear([-half, half], [rowTop + rowHeight, rowTop]);
  const reach = (value: number): number =>
    Math.min(rowTop + 1.5 * rowHeight, Math.max(rowTop - 0.5 * rowHeight, y(value)));
  const path = area<number>()
    .defined(Number.isFinite)
    .x((_, i) => x(i))
    .y0((_, i) => reach(low[i]) + 0.5)
    .y1((each) => reach(each) - 0.5);
  return (
    <g>
      <text class="electrode" x={gutter - 8} y={rowTop + rowHeight / 2 + 4} text-anchor="end">
        {electrode}
      </text>
      <path class="trace" d={path(Array.from(high)) ?? ''} />
    </g>
  );
}

function Ticks({
  from,
  seconds,
  x,
  bottom,
  width,
}: {
  readonly from: number;
  readonly seconds: number;
  readonly x: (value: number) => number;
  readonly bottom: number;
  readonly width: number;
}) {
  const step = [0.5, 1, 2, 5, 10, 15, 30].find((each) => seconds / each <= Math.max(3, width / 70)) ?? 60;
  const first = Math.ceil(from / step);
  const ticks = Array.from({ length: Math.floor((from + seconds) / step) - first + 1 }, (_, i) => (first + i) * step);
  return (
    <g class="axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={top} y2={bottom} />
          <text x={x(tick)} y={bottom + 15} text-anchor={x(tick) > width - 20 ? 'end' : 'middle'}>
            {rounded(tick)} s
          </text>
        </g>
      ))}
    </g>
  );
}
