import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { SaveButtons } from './save-buttons.tsx';

/** The numbers of a chart; the first column is the row header. */
export interface ChartTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table that scrolls horizontally if it is wider than the page. */
function DataTable({ head, rows, label }: ChartTable & { readonly label: string }) {
  return (
    <div class="scrolled" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((text, i) => (
              <th scope="col" key={i}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((text, j) =>
                j === 0 ? (
                  <th scope="row" key={j}>
                    {text}
                  </th>
                ) : (
                  <td key={j}>{text}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FigureProps {
  readonly title: string;
  /** A short sentence under the title that says what the chart shows. */
  readonly description: string;
  /** How to read it, folded. */
  readonly reading?: string;
  readonly table: ChartTable;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

/** A chart with its title, a description, buttons that save it, how to read it, and its numbers as a table. */
export function Figure({ title, description, reading, table, children, wide }: FigureProps) {
  return (
    <figure class={wide ? 'chart wide' : 'chart'}>
      <figcaption>
        <strong>{title}</strong>
        <span>{description}</span>
      </figcaption>
      {children}
      <SaveButtons title={title} />
      {reading && (
        <details class="reading">
          <summary>How to read “{title}”</summary>
          <p>{reading}</p>
        </details>
      )}
      <details>
        <summary>Numbers of “{title}”</summary>
        <DataTable {...table} label={`Numbers of “${title}”`} />
      </details>
    </figure>
  );
}

interface DrawingProps {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly children: ComponentChildren;
}

/** An SVG that a screen reader announces as one named picture. */
export function Drawing({ title, description, width, height, children }: DrawingProps) {
  const id = useId();
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-desc`}
      preserveAspectRatio="xMidYMid meet"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {children}
    </svg>
  );
}
