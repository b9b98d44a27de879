import { escape } from '../markup.ts';

/** Parts of a picture. Colours are classes of the style sheet, so that they follow the light and dark themes. */

type Point = readonly [x: number, y: number];

export const rect = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" class="${kind}"/>`;
export const text = (x: number, y: number, words: string, kind = ''): string =>
  `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${escape(words)}</text>`;
export const line = ([x1, y1]: Point, [x2, y2]: Point, kind: string): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${kind}"/>`;
export const path = (points: readonly Point[], kind: string): string =>
  `<polyline points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" class="${kind}"/>`;
export const dot = ([x, y]: Point, kind: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="5" class="${kind}"/>`;

const round = (value: number): number => Math.round(10 * value) / 10;

/** A picture with its caption. Screen readers read `says` instead of the picture. */
export const picture = (width: number, height: number, says: string, parts: readonly string[]): string =>
  `<figure class="picture"><div class="drawn" tabindex="0"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(says)}">` +
  `${parts.join('')}</svg></div><figcaption>${escape(says)}</figcaption></figure>`;

/** Maps values to positions on the two axes of a frame; y increases upwards. */
export function axes(
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  range: { readonly x: Point; readonly y: Point },
) {
  const place = ([x, y]: Point): Point => [
    box.left + ((x - range.x[0]) / (range.x[1] - range.x[0])) * box.width,
    box.top + box.height - ((y - range.y[0]) / (range.y[1] - range.y[0])) * box.height,
  ];
  const bottom = box.top + box.height;
  return {
    place,
    frame: (xWords: string, yWords: string): string =>
      line([box.left, box.top], [box.left, bottom], 'axis') +
      line([box.left, bottom], [box.left + box.width, bottom], 'axis') +
      text(box.left + box.width, bottom + 32, xWords, 'end') +
      text(box.left, box.top - 10, yWords),
    yTick: (value: number, words: string): string =>
      line(place([range.x[0], value]), place([range.x[1], value]), 'grid') +
      text(box.left - 8, place([0, value])[1] + 5, words, 'end'),
    xTick: (value: number, words: string): string => text(place([value, 0])[0], bottom + 17, words, 'middle'),
    across: (value: number, kind: string): string => line(place([range.x[0], value]), place([range.x[1], value]), kind),
  };
}
