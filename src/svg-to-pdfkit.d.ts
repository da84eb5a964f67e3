/** The part of svg-to-pdfkit that memprof uses; the package has no types of its own. */
declare module 'svg-to-pdfkit' {
  import type PdfDocument from 'pdfkit';

  interface SvgToPdfOptions {
    /** The name of a registered font for a piece of text. */
    readonly fontCallback?: (family: string, bold: boolean, italic: boolean) => string;
  }

  // biome-ignore lint/style/noDefaultExport: so it is.
  export default function svgToPdf(
    document: InstanceType<typeof PdfDocument>,
    svg: string,
    x: number,
    y: number,
    options?: SvgToPdfOptions,
  ): void;
}
