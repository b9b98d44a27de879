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
/** Characters of a line of a name, beside which the score has room. */
const lineCharacters = 36;
const axisHeight = 34;
const x = scaleLinear([0, 1], [edge, width - edge]);

/**
 * A row of scores: dot and 95 % interval between 0 and 100 %. A dashed line is at the score of guessing, a solid one at
 * the score to expect.
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
        <g key={tick}>
          <line class="grid" x1={x(tick)} x2={x(tick)} y1={4} y2={bottom} />
          <text class="tick" x={x(tick)} y={bottom + 14} text-anchor="middle">
            {percent(tick)}
          </text>
        </g>
      ))}
      {chance !== null && (
        <>
          <line class="chance" x1={x(chance)} x2={x(chance)} y1={2} y2={bottom} />
          <text class="tick chance-word" x={x(chance)} y={bottom + 29} text-anchor={chance < 0.12 ? 'start' : 'middle'}>
            guessing {percent(chance)}
          </text>
        </>
      )}
      {expected !== undefined && <line class="expected" x1={x(expected)} x2={x(expected)} y1={2} y2={bottom} />}
      {rows.map((row, i) => (
        <Row key={i} row={row} lines={names[i]} top={tops[i]} />
      ))}
    </Drawing>
  );
}

function Row({
  row,
  lines,
  top,
}: {
  readonly row: IntervalRow;
  readonly lines: readonly string[];
  readonly top: number;
}) {
  const { label, value, interval, kind } = row;
  const [low, high] = interval ?? [];
  const middle = top + lines.length * lineHeight + 13;
  return (
    <g class={`row ${kind}`}>
      <title>{label}</title>
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
