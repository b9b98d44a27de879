import { saveFile } from '../../ui/save-file.ts';
import { pdfPicture } from './pdf-picture.ts';
import { plainSvg } from './plain-svg.ts';

/** Dots of a CSS pixel in a PNG: 384 dots per inch, more than the 300 that journals ask for. */
const scale = 4;

async function pngOf(svg: SVGSVGElement, text: string): Promise<Blob> {
  const image = new Image();
  // The policy of the page allows images of `data:` only.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const { width, height } = svg.viewBox.baseVal;
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await canvas.convertToBlob({ type: 'image/png' });
}

async function pdfOf(svg: SVGSVGElement, title: string): Promise<Blob> {
  const host = document.createElement('div');
  host.className = 'picture-export';
  // Texts are measured, for which the picture has to be in the page.
  host.append(svg);
  document.body.append(host);
  try {
    return await pdfPicture(svg, title);
  } finally {
    host.remove();
  }
}

/** Saves the picture of a figure as a file, in light colours. `title` becomes the name of the file. */
export async function savePicture(figure: Element, title: string, format: 'PNG' | 'SVG' | 'PDF'): Promise<void> {
  const svg = plainSvg(figure);
  const text = new XMLSerializer().serializeToString(svg);
  const name = `${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.${format.toLowerCase()}`;
  const file =
    format === 'SVG'
      ? new Blob([text], { type: 'image/svg+xml' })
      : format === 'PNG'
        ? await pngOf(svg, text)
        : await pdfOf(svg, title);
  saveFile(file, name);
}
