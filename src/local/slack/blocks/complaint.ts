import type * as z from 'zod';

/** What a check found, in the words of Slack's answers: "must be less than 151 characters [json-pointer:/blocks/0/text/text]". */
export function complaintsOf(
  issues: readonly z.core.$ZodIssue[],
  pointer: string,
): readonly string[] {
  return issues.flatMap((issue) => complaints(issue, pointer));
}

export function complaint(sentence: string, pointer: string): string {
  return `${sentence} [json-pointer:${pointer}]`;
}

function complaints(issue: z.core.$ZodIssue, root: string): readonly string[] {
  const pointer = [root, ...issue.path.map(String)].join('/');
  const last = String(issue.path.at(-1) ?? '');
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? [complaint(`missing required field: ${last}`, parentOf(pointer))]
        : [complaint(`must provide ${article(issue.expected)}`, pointer)];
    case 'too_big':
      return [
        issue.origin === 'array'
          ? complaint(`no more than ${issue.maximum} items allowed`, pointer)
          : complaint(`must be less than ${Number(issue.maximum) + 1} characters`, pointer),
      ];
    case 'too_small':
      return [
        issue.origin === 'array'
          ? complaint(`no fewer than ${issue.minimum} items required`, pointer)
          : complaint(`must be more than ${Number(issue.minimum) - 1} characters`, pointer),
      ];
    case 'unrecognized_keys':
      return issue.keys.map((key) => complaint(`invalid additional property: ${key}`, pointer));
    case 'invalid_union':
      return [complaint(`unsupported type: ${String(typeOf(issue.input))}`, pointer)];
    case 'custom':
      return [complaint(issue.message, pointer)];
    default:
      return [complaint('invalid value', pointer)];
  }
}

function typeOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'type' in input ? input.type : undefined;
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
