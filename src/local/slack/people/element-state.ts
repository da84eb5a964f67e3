/** What a person chose or typed: one text, or several for elements that take several. */
export type Input = string | readonly string[];

interface Element {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The field of an element's state that holds what was chosen. */
const SINGLE_FIELDS: Readonly<Record<string, string>> = {
  plain_text_input: 'value',
  number_input: 'value',
  email_text_input: 'value',
  url_text_input: 'value',
  users_select: 'selected_user',
  channels_select: 'selected_channel',
  conversations_select: 'selected_conversation',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
};

const INITIAL_FIELDS = [
  'initial_value',
  'initial_user',
  'initial_channel',
  'initial_conversation',
  'initial_date',
  'initial_time',
] as const;

/** An element's state as it stands in `state.values` and in actions. Throws when the choice is none that it offers. */
export function stateOf(element: Element, input: Input | undefined): object {
  const { type } = element;
  const field = SINGLE_FIELDS[type];
  if (field !== undefined) {
    const value = typeof input === 'string' && input !== '' ? input : null;
    return { type, [field]: value };
  }
  const values = input === undefined ? [] : [input].flat();
  if (type === 'checkboxes' || type === 'multi_static_select') {
    return { type, selected_options: values.map((value) => optionOf(element, value)) };
  }
  const [value] = values;
  const isEmpty = value === undefined || value === '';
  return { type, selected_option: isEmpty ? null : optionOf(element, value) };
}

/** What is filled in before anybody touches the element. */
export function initialInput(element: Element): Input | undefined {
  if (Array.isArray(element.initial_options)) return element.initial_options.map(choiceOf);
  if (element.initial_option !== undefined) return choiceOf(element.initial_option);
  const given = INITIAL_FIELDS.map((field) => element[field]).find((value) => value !== undefined);
  return typeof given === 'string' ? given : undefined;
}

export function isFilledIn(state: object): boolean {
  return Object.entries(state).some(
    ([field, value]) =>
      field !== 'type' && value !== null && !(Array.isArray(value) && value.length === 0),
  );
}

function optionOf(element: Element, value: string): unknown {
  const groups = listOf(element.option_groups).flatMap((group) =>
    listOf((group as { options?: unknown }).options),
  );
  const options = [...listOf(element.options), ...groups];
  const found = options.find((option) => choiceOf(option) === value);
  if (found === undefined) throw new Error(`the ${element.type} offers no option "${value}"`);
  return found;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function choiceOf(option: unknown): string {
  return String((option as { value?: unknown }).value);
}
