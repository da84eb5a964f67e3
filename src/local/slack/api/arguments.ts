import { refusedBecause, SlackError } from './slack-error.ts';

/** The arguments of one call, whatever way they came: forms carry everything as text. */
export interface Arguments {
  readonly raw: Readonly<Record<string, unknown>>;
  text(name: string): string | undefined;
  /** Throws `invalid_arguments` when it is not there. */
  required(name: string): string;
  flag(name: string): boolean;
  count(name: string, fallback: number): number;
  /** A list or object, given as such or as JSON text; throws `error` when the text is not JSON. */
  json(name: string, error?: string): unknown;
  has(name: string): boolean;
}

export function createArguments(raw: Readonly<Record<string, unknown>>): Arguments {
  function text(name: string): string | undefined {
    const value = raw[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return {
    raw,
    text,
    required(name) {
      const value = text(name);
      if (value === undefined || value === '') {
        throw refusedBecause('invalid_arguments', [`missing required field: ${name}`]);
      }
      return value;
    },
    flag: (name) => ['true', '1'].includes(text(name) ?? ''),
    count(name, fallback) {
      const value = Number(text(name) ?? fallback);
      if (!Number.isInteger(value) || value < 0) {
        throw refusedBecause('invalid_arguments', [
          `must provide a number [json-pointer:/${name}]`,
        ]);
      }
      return value;
    },
    json(name, error = 'invalid_arguments') {
      const value = raw[name];
      if (typeof value !== 'string') return value ?? undefined;
      try {
        return JSON.parse(value);
      } catch {
        throw new SlackError(error);
      }
    },
    has: (name) => raw[name] !== undefined && raw[name] !== null && raw[name] !== '',
  };
}

/** The arguments in a request's body and query: form, JSON or multipart, as Slack takes them. */
export async function readArguments(
  url: URL,
  contentType: string,
  body: Uint8Array,
): Promise<Readonly<Record<string, unknown>>> {
  const query = Object.fromEntries(url.searchParams);
  if (body.length === 0) return query;
  if (contentType.startsWith('application/json')) {
    try {
      return { ...query, ...JSON.parse(new TextDecoder().decode(body)) };
    } catch {
      throw new SlackError('json_not_object');
    }
  }
  if (contentType.startsWith('multipart/form-data')) {
    const form = await formOf(contentType, body);
    return { ...query, ...Object.fromEntries(form) };
  }
  return { ...query, ...Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))) };
}

/** A multipart body by Node's own parser. */
export function formOf(contentType: string, body: Uint8Array): Promise<FormData> {
  return new Response(body.slice(), { headers: { 'content-type': contentType } }).formData();
}
