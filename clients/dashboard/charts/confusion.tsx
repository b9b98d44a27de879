import { confusionCells, confusionTable } from './confusion-cells.ts';
import { Drawing, Figure } from './figure.tsx';
import type { Report } from './report-type.ts';
import { rounded, shortenedApart } from './words.ts';

const width = 340;
const top = 38;
/** Smallest cell that shows its count, pixels. */
const legible = 20;
/** From this fraction of the full colour on, the text is light. */
const strong = 0.65;

/**
 * Confusion matrix. Rows: the true class; columns: the model's label; shaded by the fraction of the row, with the
 * counts.
 */
export function Confusion({ report }: { readonly report: Report }) {
  const { labels, counts } = report.confusion_matrix;
  const title = 'Confusion matrix';
  const left = labels.length > 24 ? 30 : 112;
  const size = (width - left - 6) / labels.length;
  const named = labels.length <= 3;
  const everyth = Math.ceil(labels.length / 16);
  const description = 'Rows: true class. Columns: the model’s label. Correct labels lie on the diagonal.';
  const reading = [
    'The colour of a cell shows its share of the row.',
    named ? '' : 'Columns have the numbers of the rows.',
    size >= legible ? '' : 'The table has the counts.',
    report.validation.repeats > 1 ? 'A count can be a fraction, because the test is repeated.' : '',
  ]
    .filter(Boolean)
    .join(' ');
  const height = top + size * labels.length + 4;
  const [rows, columns] = [named ? 13 : 11, Math.max(3, Math.floor(size / 8.5))].map((most) =>
    shortenedApart(labels, most),
  );
  const rowName = (i: number): string => (left < 100 ? String(i + 1) : `${named ? '' : `${i + 1} `}${rows[i]}`);
  return (
    <Figure title={title} description={description} reading={reading} table={confusionTable(labels, counts)}>
      <Drawing title={title} description={description} width={width} height={height}>
        <text class="tick" x={left + (width - left) / 2} y={12} text-anchor="middle">
          model’s label
        </text>
        <text class="tick" x={2} y={12}>
          true class
        </text>
        {labels.map((_, i) =>
          i % everyth ? null : (
            <g key={i}>
              <text class="label" x={left - 5} y={top + (i + 0.5) * size + 4} text-anchor="end">
                {rowName(i)}
              </text>
              <text class="label" x={left + (i + 0.5) * size} y={top - 8} text-anchor="middle">
                {named ? columns[i] : i + 1}
              </text>
            </g>
          ),
        )}
        {confusionCells(counts).map(({ row, column, count, fraction }) => (
          <g key={`${row}-${column}`}>
            <rect
              class={size < 10 ? 'cell fine' : 'cell'}
              x={left + column * size}
              y={top + row * size}
              width={size}
              height={size}
              fill-opacity={Math.round(fraction * 1000) / 1000}
            />
            {size >= legible && (
              <text
                class={fraction >= strong ? 'count strong' : 'count'}
                x={left + (column + 0.5) * size}
                y={top + (row + 0.5) * size + 4}
                text-anchor="middle"
                font-size={Math.min(14, size / 2.4)}
              >
                {rounded(count, size >= 34 ? 1 : 0)}
              </text>
            )}
          </g>
        ))}
      </Drawing>
    </Figure>
  );
}
