import { scaleLinear } from 'd3-scale';
import { Drawing } from './figure.tsx';
import { percent, wrapped } from './words.ts';

/** A score with its interval, on a line of its own. */
export interface IntervalRow {
  readonly label: string;
  readonly value: number | null;
  readonly interval: readonly (number | null)[] | null;
  readonly kind: 'winner' | 'corrected' | 'other' | 'control';
}

const width = 340;
const edge = 20;
const lineHeight = 14;
/** Below its name: the dot and the interval of a row. */
const markHeight = 20;
/** Half the height of the lines beside a dot. */
const markHalf = 8;
/** Characters of a line of a name, beside which the score has room. */
const lineCharacters = 36;
const axisHeight = 34;
const x = scaleLinear([0, 1], [edge, width - edge]);

/**
 * Scores: dot and 95 % interval between 0 and 100 %, below the name of each. A dashed line is at the score of guessing,
 * a solid one at the score to expect. They are beside the dots only, so that they cross no name.
 */
export function IntervalRows(props: {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly IntervalRow[];
  /** Null: not known yet. */
  readonly chance: number | null;
  readonly expected?: number;
}) {
  const { title, description, rows, chance, expected } = props;
  const names = rows.map(({ label }) => wrapped(label, lineCharacters));
  const tops = [0];
  for (const lines of names) tops.push(tops.at(-1)! + lines.length * lineHeight + markHeight);
  const bottom = tops.at(-1)! + 6;
  return (
    <Drawing title={title} description={description} width={width} height={bottom + axisHeight}>
      {x.ticks(4).map((tick) => (
        <text key={tick} class="tick" x={x(tick)} y={bottom + 14} text-anchor="middle">
          {percent(tick)}
        </text>
      ))}
      {chance !== null && (
        <text class="tick chance-word" x={x(chance)} y={bottom + 29} text-anchor={chance < 0.12 ? 'start' : 'middle'}>
          guessing {percent(chance)}
        </text>
      )}
      {rows.map((row, i) => (
        <Row key={i} row={row} lines={names[i]} top={tops[i]} chance={chance} expected={expected} />
      ))}
    </Drawing>
  );
}

/** A vertical line beside the dot of a row. */
const Upright = ({ kind, at, middle }: { readonly kind: string; readonly at: number; readonly middle: number }) => (
  <line class={kind} x1={x(at)} x2={x(at)} y1={middle - markHalf} y2={middle + markHalf} />
);

function Row({
  row,
  lines,
  top,
  chance,
  expected,
}: {
  readonly row: IntervalRow;
  readonly lines: readonly string[];
  readonly top: number;
  readonly chance: number | null;
  readonly expected: number | undefined;
}) {
  const { label, value, interval, kind } = row;
  const [low, high] = interval ?? [];
  const middle = top + lines.length * lineHeight + 13;
  return (
    <g class={`row ${kind}`}>
      <title>{label}</title>
      {x.ticks(4).map((tick) => (
        <Upright key={tick} kind="grid" at={tick} middle={middle} />
      ))}
      {chance !== null && <Upright kind="chance" at={chance} middle={middle} />}
      {expected !== undefined && <Upright kind="expected" at={expected} middle={middle} />}
      {lines.map((line, i) => (
        <text key={i} class="label" x={edge} y={top + 15 + i * lineHeight}>
          {line}
        </text>
      ))}
      <text class="value" x={width - edge} y={top + 15} text-anchor="end">
        {value === null ? 'not known' : percent(value)}
      </text>
      {typeof low === 'number' && typeof high === 'number' && (
        <line class="interval" x1={x(low)} x2={x(high)} y1={middle} y2={middle} />
      )}
      {value !== null &&
        (kind === 'corrected' ? (
          <path class="dot" d={`M${x(value)},${middle - 6}l6,6l-6,6l-6,-6z`} />
        ) : (
          <circle class="dot" cx={x(value)} cy={middle} r={4.5} />
        ))}
    </g>
  );
}
