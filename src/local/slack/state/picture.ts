/** What an uploaded file is, by its first bytes; Slack looks at these too. */
export interface FileType {
  readonly mimetype: string;
  readonly filetype: string;
}

const SIGNATURES: readonly (FileType & { readonly starts: readonly number[] })[] = [
  { starts: [0x89, 0x50, 0x4e, 0x47], mimetype: 'image/png', filetype: 'png' },
  { starts: [0xff, 0xd8, 0xff], mimetype: 'image/jpeg', filetype: 'jpg' },
  { starts: [0x47, 0x49, 0x46, 0x38], mimetype: 'image/gif', filetype: 'gif' },
  { starts: [0x1f, 0x8b], mimetype: 'application/gzip', filetype: 'gzip' },
];

const BY_EXTENSION: Readonly<Record<string, FileType>> = {
  svg: { mimetype: 'image/svg+xml', filetype: 'svg' },
  json: { mimetype: 'application/json', filetype: 'json' },
  html: { mimetype: 'text/html', filetype: 'html' },
};

export function fileTypeOf(name: string, bytes: Uint8Array): FileType {
  const bySignature = SIGNATURES.find(({ starts }) => starts.every((b, at) => bytes[at] === b));
  if (bySignature !== undefined) {
    const { mimetype, filetype } = bySignature;
    return { mimetype, filetype };
  }
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? { mimetype: 'text/plain', filetype: 'text' };
}

/** Slack shows only these in image blocks. */
export function isShownAsImage(filetype: string): boolean {
  return ['png', 'jpg', 'gif'].includes(filetype);
}

/** Width and height from a PNG's IHDR chunk; undefined for anything else. */
export function pngSize(
  bytes: Uint8Array,
): { readonly widthPx: number; readonly heightPx: number } | undefined {
  if (bytes.length < 24 || fileTypeOf('', bytes).filetype !== 'png') return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}
