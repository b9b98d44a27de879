import { pathCommands } from './path-commands.ts';
import { PdfFile, unicodeText } from './pdf-file.ts';
import { winAnsi } from './pdf-text.ts';

/** Points of a CSS pixel. */
const points = 0.75;

const short = (value: number): string => String(Math.round(value * 1e4) / 1e4);
const numberOf = (element: Element, name: string): number => Number.parseFloat(element.getAttribute(name) ?? '') || 0;

interface Colour {
  /** Red, green and blue between 0 and 1. */
  readonly rgb: readonly number[];
  readonly opacity: number;
}

/** A computed colour of the browser, `rgb(…)` or `rgba(…)`; null: nothing is painted. */
function colourOf(element: Element, what: 'fill' | 'stroke'): Colour | null {
  const text = element.getAttribute(what) ?? 'none';
  if (text === 'none') return null;
  const [red, green, blue, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const opacity = alpha * Number(element.getAttribute(`${what}-opacity`) || 1);
  return opacity === 0 ? null : { rgb: [red / 255, green / 255, blue / 255], opacity };
}

/** The outline of a shape as operators of PDF. */
function outlineOf(element: Element): string {
  const value = (name: string): number => numberOf(element, name);
  switch (element.localName) {
    case 'line':
      return `${short(value('x1'))} ${short(value('y1'))} m ${short(value('x2'))} ${short(value('y2'))} l`;
    case 'rect':
      return `${['x', 'y', 'width', 'height'].map((name) => short(value(name))).join(' ')} re`;
    case 'circle': {
      const [cx, cy, r] = [value('cx'), value('cy'), value('r')];
      // Four cubic curves: the usual approximation, 0.03 % of the radius off.
      const k = 0.5523 * r;
      const curve = (...numbers: readonly number[]): string => `${numbers.map(short).join(' ')} c`;
      return [
        `${short(cx + r)} ${short(cy)} m`,
        curve(cx + r, cy + k, cx + k, cy + r, cx, cy + r),
        curve(cx - k, cy + r, cx - r, cy + k, cx - r, cy),
        curve(cx - r, cy - k, cx - k, cy - r, cx, cy - r),
        curve(cx + k, cy - r, cx + r, cy - k, cx + r, cy),
        'h',
      ].join(' ');
    }
    case 'path':
      return pathCommands(element.getAttribute('d') ?? '')
        .map(([name, ...numbers]) => [...numbers.map(short), name].join(' '))
        .join(' ');
    default:
      return '';
  }
}

const caps: Readonly<Record<string, number>> = { butt: 0, round: 1, square: 2 };
const joins: Readonly<Record<string, number>> = { miter: 0, round: 1, bevel: 2 };

/** Operators of a picture, with the opacities and images that they use. */
class Painter {
  readonly #file: PdfFile;
  readonly #operators: string[] = [];
  readonly opacities = new Map<string, string>();
  readonly images: number[] = [];

  constructor(file: PdfFile) {
    this.#file = file;
  }

  get operators(): string {
    return this.#operators.join('\n');
  }

  #opacity(fill: number, stroke: number): string {
    const key = `/ca ${short(fill)} /CA ${short(stroke)}`;
    if (!this.opacities.has(key)) this.opacities.set(key, `G${this.opacities.size}`);
    return `/${this.opacities.get(key)!} gs`;
  }

  async paint(element: SVGElement, root: SVGSVGElement): Promise<void> {
    if (element.localName === 'clipPath') return;
    if (element.localName === 'text') return await this.#text(element as SVGTextElement);
    if (element.localName !== 'g') return this.#shape(element);
    this.#operators.push('q');
    const matrix = (element as SVGGElement).transform.baseVal.consolidate()?.matrix;
    if (matrix) {
      const { a, b, c, d, e, f } = matrix;
      this.#operators.push(`${[a, b, c, d, e, f].map(short).join(' ')} cm`);
    }
    const clip = /url\("?#(.+?)"?\)/.exec(element.getAttribute('clip-path') ?? '')?.[1];
    const area = clip === undefined ? null : root.querySelector(`#${CSS.escape(clip)}`)?.firstElementChild;
    if (area) this.#operators.push(`${outlineOf(area)} W n`);
    for (const child of element.children) await this.paint(child as SVGElement, root);
    this.#operators.push('Q');
  }

  #shape(element: SVGElement): void {
    const outline = outlineOf(element);
    const [fill, stroke] = [
      element.localName === 'line' ? null : colourOf(element, 'fill'),
      colourOf(element, 'stroke'),
    ];
    if (outline === '' || (!fill && !stroke)) return;
    const evenOdd = element.getAttribute('fill-rule') === 'evenodd' ? '*' : '';
    this.#operators.push('q', this.#opacity(fill?.opacity ?? 1, stroke?.opacity ?? 1));
    if (fill) this.#operators.push(`${fill.rgb.map(short).join(' ')} rg`);
    if (stroke) {
      const dashes = (element.getAttribute('stroke-dasharray') ?? '').match(/[\d.]+/g) ?? [];
      this.#operators.push(
        `${stroke.rgb.map(short).join(' ')} RG ${short(numberOf(element, 'stroke-width'))} w`,
        `${caps[element.getAttribute('stroke-linecap') ?? ''] ?? 0} J`,
        `${joins[element.getAttribute('stroke-linejoin') ?? ''] ?? 0} j [${dashes.join(' ')}] 0 d`,
      );
    }
    this.#operators.push(`${outline} ${fill && stroke ? `B${evenOdd}` : fill ? `f${evenOdd}` : 'S'}`, 'Q');
  }

  async #text(element: SVGTextElement): Promise<void> {
    const text = element.textContent ?? '';
    const fill = colourOf(element, 'fill');
    if (text.trim() === '' || !fill) return;
    const [size, length] = [numberOf(element, 'font-size'), element.getComputedTextLength()];
    const anchor = { middle: 0.5, end: 1 }[element.getAttribute('text-anchor') ?? ''] ?? 0;
    const [x, y] = [numberOf(element, 'x') - anchor * length, numberOf(element, 'y')];
    const isBold = numberOf(element, 'font-weight') >= 600;
    this.#operators.push('q', this.#opacity(fill.opacity, fill.opacity), `${fill.rgb.map(short).join(' ')} rg`);
    const written = winAnsi(text);
    if (written === null) await this.#image(text, { x, y, size, length, isBold, rgb: fill.rgb });
    else {
      const stroke = colourOf(element, 'stroke');
      if (stroke)
        this.#operators.push(
          `${stroke.rgb.map(short).join(' ')} RG ${short(numberOf(element, 'stroke-width'))} w 1 j 2 Tr`,
        );
      // The picture is drawn from the top down, so that the letters are turned over.
      this.#operators.push(
        `BT /${isBold ? 'F2' : 'F1'} ${short(size)} Tf 1 0 0 -1 ${short(x)} ${short(y)} Tm ${written} Tj ET`,
      );
    }
    this.#operators.push('Q');
  }

  /** A text in letters that the standard fonts lack, such as Greek or Japanese, as an image. */
  async #image(
    text: string,
    at: { x: number; y: number; size: number; length: number; isBold: boolean; rgb: readonly number[] },
  ): Promise<void> {
    // 8 dots of a pixel are 768 dots per inch.
    const scale = (8 * 12) / at.size;
    const [width, height] = [Math.max(1, Math.ceil(at.length * scale)), Math.ceil(at.size * 1.5 * scale)];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    context.font = `${at.isBold ? 'bold ' : ''}${at.size * scale}px Helvetica, Arial, sans-serif`;
    context.fillText(text, 0, at.size * scale * 1.1);
    const { data } = context.getImageData(0, 0, width, height);
    const mask = Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 3]);
    const kind = (w: number, h: number, space: string): string =>
      `/Type /XObject /Subtype /Image /Width ${w} /Height ${h} /BitsPerComponent 8 /ColorSpace /${space}`;
    const opacity = await this.#file.addStream(mask, kind(width, height, 'DeviceGray'));
    const colour = Uint8Array.from(at.rgb, (value) => Math.round(255 * value));
    this.images.push(await this.#file.addStream(colour, `${kind(1, 1, 'DeviceRGB')} /SMask ${opacity} 0 R`));
    const [w, h] = [width / scale, height / scale];
    const bottom = at.y - at.size * 1.1 + h;
    this.#operators.push(
      `${short(w)} 0 0 ${short(-h)} ${short(at.x)} ${short(bottom)} cm /I${this.images.length - 1} Do`,
    );
  }
}

/**
 * A picture of `plainSvg`, which is in the page, as a PDF file of one page of its size. Its lines and letters scale.
 */
export async function pdfPicture(svg: SVGSVGElement, title: string): Promise<Blob> {
  const file = new PdfFile();
  const painter = new Painter(file);
  for (const child of svg.children) await painter.paint(child as SVGElement, svg);
  const [width, height] = [numberOf(svg, 'width') * points, numberOf(svg, 'height') * points];
  const content = await file.addStream(`${points} 0 0 ${-points} 0 ${short(height)} cm\n${painter.operators}`);
  const font = (name: string): number =>
    file.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const [regular, bold] = [font('Helvetica'), font('Helvetica-Bold')];
  const opacities = [...painter.opacities].map(([values, name]) => `/${name} << ${values} >>`).join(' ');
  const images = painter.images.map((object, i) => `/I${i} ${object} 0 R`).join(' ');
  const resources = `<< /Font << /F1 ${regular} 0 R /F2 ${bold} 0 R >> /ExtGState << ${opacities} >> /XObject << ${images} >> >>`;
  const page = file.next;
  file.add(
    `<< /Type /Page /Parent ${page + 1} 0 R /MediaBox [0 0 ${short(width)} ${short(height)}] ` +
      `/Contents ${content} 0 R /Resources ${resources} >>`,
  );
  const pages = file.add(`<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  const root = file.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`);
  const info = file.add(`<< /Title ${unicodeText(title)} >>`);
  return file.toBlob(root, info);
}
