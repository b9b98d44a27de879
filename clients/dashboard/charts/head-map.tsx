import { useId, useMemo } from 'preact/hooks';
import { bandOf, headSites, thresholds, type HeadSites } from './head/bands.ts';
import { Drawing, Figure } from './figure.tsx';
import type { Report } from './report-type.ts';
import { rounded } from './words.ts';

type Patterns = NonNullable<Report['patterns']>;
type Component = Patterns['components'][number];

const side = 2.6;
const half = side / 2;
/** Electrodes have names if there are at most this many. */
const mostNames = 21;

/** One head from above: the field in bands, faded beyond the electrodes, with nose, ears and electrodes. */
function Head({
  sites,
  component,
  title,
}: {
  readonly sites: HeadSites;
  readonly component: Component;
  readonly title: string;
}) {
  const id = useId();
  const areas = useMemo(() => sites.areas(component.values), [sites, component]);
  const { points, hull, rows, names } = sites;
  const edge = hull.map(([x, y]) => `${x},${-y}`).join('L');
  const inner = hull.length >= 3 ? `M${edge}Z` : '';
  return (
    <Drawing title={title} description="Seen from above, the nose at the top." width={side * 100} height={side * 100}>
      <g transform={`translate(${half * 100} ${half * 100}) scale(100)`}>
        <clipPath id={`${id}-head`}>
          <circle r={1} />
        </clipPath>
        <path class="outline" d="M-0.14,-0.98L0,-1.2L0.14,-0.98" />
        <path
          class="outline"
          d="M-0.98,-0.2C-1.13,-0.26 -1.13,0.26 -0.98,0.2M0.98,-0.2C1.13,-0.26 1.13,0.26 0.98,0.2"
        />
        <g clip-path={`url(#${id}-head)`}>
          <rect class="band-0" x={-half} y={-half} width={side} height={side} />
          {areas.map((area, i) => (
            <path key={i} class={`band-${i + 1}`} d={area} fill-rule="evenodd" />
          ))}
          <path class="faded" d={`M-2,-2H2V2H-2Z${inner}`} fill-rule="evenodd" />
        </g>
        <circle class="outline" r={1} />
        {points.map(([x, y], i) => (
          <g key={names[i]}>
            <circle
              class={`electrode band-${bandOf(component.values[rows[i]])}`}
              cx={x}
              cy={-y}
              r={points.length > 40 ? 0.028 : 0.04}
            />
            {points.length <= mostNames && (
              <text class="site" x={x} y={-y - 0.06} text-anchor="middle">
                {names[i]}
              </text>
            )}
          </g>
        ))}
      </g>
    </Drawing>
  );
}

const titleOf = ({ name, class: label }: Component): string => (label === null ? name : `${label}: ${name}`);

/** Patterns of the chosen method on the head, one head for each part. */
export function HeadMap({ report }: { readonly report: Report }) {
  const { patterns } = report;
  const sites = useMemo(() => (patterns ? headSites(patterns.channels) : null), [patterns]);
  if (!patterns || !sites) return null;
  const title = 'What it looks at';
  const away = patterns.channels.length - sites.rows.length;
  const description = 'How the signal that the method reads spreads over the electrodes.';
  const reading =
    `These are patterns of ${patterns.method.title} (Haufe et al. 2014) in ${patterns.unit}, relative to the largest. ` +
    'Between electrodes values are interpolated by spherical splines (Perrin et al. 1989). Places beyond the electrodes ' +
    'are faded, because nothing was measured there.' +
    (away > 0 ? ` ${away} channels without a place are not drawn.` : '');
  const table = {
    head: ['Channel', ...patterns.components.map(titleOf)],
    rows: patterns.channels.map((channel, i) => [
      channel,
      ...patterns.components.map(({ values }) => rounded(values[i])),
    ]),
  };
  return (
    <Figure title={title} description={description} reading={reading} table={table} wide>
      <div class="heads">
        {patterns.components.map((component, i) => (
          <div key={i}>
            <Head sites={sites} component={component} title={titleOf(component)} />
            <p data-picture-name>{titleOf(component)}</p>
          </div>
        ))}
      </div>
      <Drawing
        title="Colours"
        description="From the most negative on the left over none to the most positive on the right."
        width={340}
        height={34}
      >
        {Array.from({ length: thresholds.length + 1 }, (_, i) => (
          <rect key={i} class={`band-${i}`} x={8 + i * 36} y={2} width={36} height={12} />
        ))}
        {(
          [
            [8, 'start', '−1'],
            [170, 'middle', '0'],
            [332, 'end', '+1'],
          ] as const
        ).map(([x, anchor, text]) => (
          <text key={text} class="tick" x={x} y={28} text-anchor={anchor}>
            {text}
          </text>
        ))}
      </Drawing>
    </Figure>
  );
}
