import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import PdfDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { svgToPng } from './png.ts';

/** A graph in the language of Graphviz, laid out, as an SVG. */
export async function graphSvg(dot: string): Promise<string> {
  const viz = await instance();
  return viz.renderString(dot, { format: 'svg', engine: 'dot' });
}

export async function graphPng(dot: string): Promise<Uint8Array> {
  return svgToPng(await graphSvg(dot)).png;
}

/** One page of the size of the graph, with the bundled font inside. The same graph gives the same bytes. */
export async function graphPdf(dot: string): Promise<Uint8Array> {
  const svg = await graphSvg(dot);
  const [, width = '612', height = '792'] =
    /<svg width="([\d.]+)pt" height="([\d.]+)pt"/.exec(svg) ?? [];
  const document = new PdfDocument({
    size: [Number(width), Number(height)],
    margin: 0,
    info: { CreationDate: new Date(0), Producer: 'memprof' },
  });
  const font = fileURLToPath(import.meta.resolve('#templates/svg/fonts/memprof-regular.ttf'));
  document.registerFont('memprof', font);
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  svgToPdf(document, svg, 0, 0, { fontCallback: () => 'memprof' });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
