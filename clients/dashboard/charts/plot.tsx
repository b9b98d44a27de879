import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import { Drawing } from './figure.tsx';
import { percent } from './words.ts';

export const plotSize = { width: 340, height: 276, left: 46, right: 22, top: 26, bottom: 42 } as const;

/** Horizontal scale for numbers between `low` and `high`. */
export const across = (low: number, high: number): ScaleLinear<number, number> =>
  scaleLinear([low, high], [plotSize.left, plotSize.width - plotSize.right]);

/** Vertical scale for fractions between 0 and 1. */
export const upwards = scaleLinear([0, 1], [plotSize.height - plotSize.bottom, plotSize.top]);

interface PlotProps {
  readonly title: string;
  readonly description: string;
  readonly x: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
  readonly tickText: (tick: number) => string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly children: ComponentChildren;
}

/** Axes of a plot with fractions on the vertical axis. */
export function Plot({ title, description, x, ticks, tickText, xLabel, yLabel, children }: PlotProps) {
  const { width, height, left, right, top, bottom } = plotSize;
  return (
    <Drawing title={title} description={description} width={width} height={height}>
      {upwards.ticks(5).map((tick) => (
        <g key={`y${tick}`}>
          <line class="grid" x1={left} x2={width - right} y1={upwards(tick)} y2={upwards(tick)} />
          <text class="tick" x={left - 5} y={upwards(tick) + 4} text-anchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      {ticks.map((tick) => (
        <g key={`x${tick}`}>
          <line class="grid" x1={x(tick)} x2={x(tick)} y1={top} y2={height - bottom} />
          <text class="tick" x={x(tick)} y={height - bottom + 15} text-anchor="middle">
            {tickText(tick)}
          </text>
        </g>
      ))}
      <text class="tick" x={(left + width - right) / 2} y={height - 8} text-anchor="middle">
        {xLabel}
      </text>
      <text class="tick" x={4} y={12}>
        {yLabel}
      </text>
      {children}
    </Drawing>
  );
}
