import { scaleBand, scaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useWidth } from '../../ui/use-width.ts';

/** A part of a bar, from the bottom up. */
export interface Part<Row> {
  readonly name: string;
  readonly value: (row: Row) => number;
}

const height = 190;
const margin = { left: 56, right: 4, top: 10, bottom: 24 } as const;
/** Width of a day's label, pixels. */
const namePixels = 56;

interface BarsProps<Row extends { readonly day: string }> {
  readonly title: string;
  /** The chart in one sentence, for screen readers. */
  readonly words: string;
  readonly rows: readonly Row[];
  readonly parts: readonly Part<Row>[];
  readonly format: (value: number) => string;
  /** Lowest upper end of the axis. */
  readonly atLeast: number;
}

/** A stacked bar for each day. */
export function Bars<Row extends { readonly day: string }>(props: BarsProps<Row>) {
  const { title, words, rows, parts, format, atLeast } = props;
  const [figure, width] = useWidth<HTMLElement>(640);
  const id = useId();
  const totals = rows.map((row) => parts.reduce((sum, { value }) => sum + value(row), 0));
  const y = scaleLinear([0, Math.max(atLeast, ...totals)], [height - margin.bottom, margin.top]).nice(4);
  const days = rows.map(({ day }) => day);
  const x = scaleBand(days, [margin.left, width - margin.right]).paddingInner(0.25);
  const every = Math.max(1, Math.ceil((namePixels * days.length) / (width - margin.left)));
  return (
    <figure class="bars" ref={figure}>
      <figcaption>{title}</figcaption>
      {parts.length > 1 && (
        <ul class="legend">
          {parts.map(({ name }, i) => (
            <li key={name} class={i > 0 ? 'second' : undefined}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>{words}</title>
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text x={margin.left - 6} y={y(tick) + 4} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {rows.map((row, i) => (
          <Stack key={row.day} row={row} parts={parts} format={format} x={x(row.day)!} width={x.bandwidth()} y={y}>
            {i % every === 0 && (
              <text x={x(row.day)! + x.bandwidth() / 2} y={height - 6} text-anchor="middle">
                {row.day.slice(5)}
              </text>
            )}
          </Stack>
        ))}
      </svg>
    </figure>
  );
}

interface StackProps<Row> extends Pick<BarsProps<Row & { readonly day: string }>, 'parts' | 'format'> {
  readonly row: Row & { readonly day: string };
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly children: ComponentChildren;
}

/** The parts of one day. */
function Stack<Row>({ row, parts, format, x, width, y, children }: StackProps<Row>) {
  const values = parts.map(({ value }) => value(row));
  const below = (count: number): number => values.slice(0, count).reduce((sum, value) => sum + value, 0);
  return (
    <g>
      <title>{`${row.day}: ${parts.map(({ name }, i) => `${name} ${format(values[i])}`).join(', ')}`}</title>
      {values.map((value, i) => (
        <rect
          key={parts[i].name}
          class={i > 0 ? 'second' : undefined}
          x={x}
          width={width}
          y={y(below(i) + value)}
          height={y(below(i)) - y(below(i) + value)}
        />
      ))}
      {children}
    </g>
  );
}
