const namespace = 'http://www.w3.org/2000/svg';

/** Style properties that the charts use, as attributes of SVG. */
const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

/** Metrics of these fonts are equal, so that a text has the same width on every machine. */
const fontFamily = 'Helvetica, Arial, sans-serif';

const make = (name: string, attributes: Readonly<Record<string, string | number>>): SVGElement => {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
};

/** Writes the styles of the page into the element, so that it looks the same without the style sheets. */
function writeStyles(element: SVGElement): void {
  const style = getComputedStyle(element);
  for (const name of properties) element.setAttribute(name, style.getPropertyValue(name));
  if (!(element instanceof SVGTextElement)) return;
  element.setAttribute('font-family', fontFamily);
  // Not every program draws the outline of a text below its letters, so that the outline becomes an element of its own.
  const outline = element.cloneNode(true) as SVGTextElement;
  element.setAttribute('stroke', 'none');
  if (style.stroke === 'none' || style.paintOrder !== 'stroke') return;
  outline.setAttribute('fill', style.stroke);
  element.before(outline);
}

const drawn = 'line, rect, circle, path, text';

/** Room between pictures, and of the name below a picture, pixels. */
const gap = 12;
const nameHeight = 20;
const mostColumns = 3;

interface Part {
  readonly svg: SVGSVGElement;
  readonly name: string;
}

/** Pictures of a figure, in rows. A picture without a name, such as a scale of colours, has a row of its own. */
function rowsOf(parts: readonly Part[]): Part[][] {
  const named = parts.filter(({ name }) => name !== '');
  const columns = Math.min(mostColumns, Math.max(1, named.length));
  const rows: Part[][] = [];
  for (let i = 0; i < named.length; i += columns) rows.push(named.slice(i, i + columns));
  return [...rows, ...parts.filter(({ name }) => name === '').map((part) => [part])];
}

/** A picture of a figure as one SVG, in light colours, that needs no style sheet. */
export function plainSvg(figure: Element): SVGSVGElement {
  const host = document.createElement('div');
  host.className = 'chart picture-export';
  document.body.append(host);
  try {
    const parts = [...figure.querySelectorAll('svg')].map((svg): Part => {
      const copy = svg.cloneNode(true) as SVGSVGElement;
      const name = svg.parentElement?.querySelector(':scope > p[data-picture-name]')?.textContent ?? '';
      // The styles of a head depend on the element around it.
      const around = document.createElement('div');
      if (name !== '') around.className = 'heads';
      around.append(copy);
      host.append(around);
      for (const element of copy.querySelectorAll<SVGElement>(drawn)) writeStyles(element);
      return { svg: copy, name };
    });
    const all = make('svg', { xmlns: namespace }) as SVGSVGElement;
    let [top, width] = [0, 0];
    for (const row of rowsOf(parts)) {
      let left = 0;
      const height = Math.max(...row.map(({ svg }) => svg.viewBox.baseVal.height));
      for (const { svg, name } of row) {
        const group = make('g', { transform: `translate(${left} ${top})` });
        group.append(...svg.children);
        if (name !== '')
          group.append(
            Object.assign(
              make('text', {
                x: svg.viewBox.baseVal.width / 2,
                y: height + 14,
                'text-anchor': 'middle',
                'font-size': 13,
                'font-family': fontFamily,
                fill: 'rgb(29, 39, 51)',
              }),
              { textContent: name },
            ),
          );
        all.append(group);
        left += svg.viewBox.baseVal.width + gap;
      }
      width = Math.max(width, left - gap);
      top += height + gap + (row[0].name === '' ? 0 : nameHeight);
    }
    const height = top - gap;
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      all.setAttribute(key, String(value));
    all.prepend(make('rect', { width, height, fill: 'rgb(255, 255, 255)' }));
    for (const element of all.querySelectorAll('title, desc')) element.remove();
    for (const element of all.querySelectorAll('[class]')) element.removeAttribute('class');
    return all;
  } finally {
    host.remove();
  }
}
