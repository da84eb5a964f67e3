import { html, nothing } from 'lit-html';
import * as icons from './icons.js';
import { emoji } from './mrkdwn.js';
import { act } from './server.js';
import { change, frame, remark, state } from './store.js';

/** Elements that people use: buttons, menus, fields. In forms they wait; elsewhere each use is told at once. */

/** @typedef {import('./types.js').Element} Element */
/** @typedef {import('./types.js').Block} Block */
/** @typedef {import('./types.js').Surface} Surface */

/** @param {Element} element @param {Block} block @param {Surface} surface @returns {unknown} */
export function element(element, block, surface) {
  const use = (
    /** @type {string | string[]} */ choice,
    /** @type {EventTarget | null} */ control,
  ) => useElement(element, block, surface, choice, control);
  switch (element.type) {
    case 'button':
      return button(element, use);
    case 'overflow':
      return overflow(element, use);
    case 'checkboxes':
    case 'radio_buttons':
      return choices(element, block, use);
    case 'datepicker':
      return field(element, block, 'date', element.initial_date, use);
    case 'timepicker':
      return field(element, block, 'time', element.initial_time, use);
    default:
      return optionsOf(element) === undefined
        ? notDrawn(element.type)
        : select(element, block, use);
  }
}

/** @typedef {(choice: string | string[], control: EventTarget | null) => void} Use */

/** @param {Element} element @param {Use} use */
function button(element, use) {
  const { text, url, style, accessibility_label: label } = element;
  const press = (/** @type {Event} */ event) => {
    if (url !== undefined) open(url, '_blank', 'noopener');
    use('', event.currentTarget);
  };
  return html`<button type="button" class="button ${style ?? ''}" aria-label=${label ?? nothing} @click=${press}>
    ${plain(text)}
  </button>`;
}

/** @param {Element} element @param {Use} use */
function overflow(element, use) {
  const choose = (/** @type {Event} */ event) => {
    const control = /** @type {HTMLSelectElement} */ (event.currentTarget);
    use(control.value, control);
    control.value = '';
  };
  return html`<span class="overflow">
    ${icons.more}
    <select aria-label="More" @change=${choose}>
      <option value="" selected disabled hidden></option>
      ${element.options.map((/** @type {any} */ { value, text }) => html`<option value=${value}>${text.text}</option>`)}
    </select>
  </span>`;
}

/** @param {Element} element @param {Block} block @param {Use} use */
function select(element, block, use) {
  const isMultiple = element.type.startsWith('multi_');
  const initial = initialValues(element);
  const tell = (/** @type {Event} */ event) => {
    const control = /** @type {HTMLSelectElement} */ (event.currentTarget);
    const values = [...control.selectedOptions].map(({ value }) => value);
    use(isMultiple ? values : (values[0] ?? ''), control);
  };
  const option = (/** @type {{ value: string, label: string }} */ { value, label }) =>
    html`<option value=${value} ?selected=${initial.includes(value)}>${label}</option>`;
  const placeholder = element.placeholder?.text ?? 'Choose one';
  return html`<select
    class="select"
    ?multiple=${isMultiple}
    aria-label=${block.label?.text ?? placeholder}
    data-block=${block.block_id}
    @change=${tell}
  >
    ${isMultiple ? nothing : html`<option value="" ?selected=${initial.length === 0}>${placeholder}</option>`}
    ${optionsOf(element)?.map(option)}
  </select>`;
}

/** @param {Element} element @param {Block} block @param {Use} use */
function choices(element, block, use) {
  const kind = element.type === 'checkboxes' ? 'checkbox' : 'radio';
  const initial = initialValues(element);
  const tell = (/** @type {Event} */ event) => {
    const group = /** @type {Element & HTMLElement} */ (event.currentTarget);
    const values = [...group.querySelectorAll('input:checked')].map(
      (input) => /** @type {HTMLInputElement} */ (input).value,
    );
    use(kind === 'checkbox' ? values : (values[0] ?? ''), null);
  };
  return html`<div class="choices" role="group" data-block=${block.block_id} @change=${tell}>
    ${element.options.map(
      (/** @type {any} */ { value, text, description }) => html`<label>
        <input type=${kind} name=${block.block_id} value=${value} ?checked=${initial.includes(value)} />
        <span>${plain(text)}${description ? html`<small>${plain(description)}</small>` : nothing}</span>
      </label>`,
    )}
  </div>`;
}

/** @param {Element} element @param {Block} block @param {string} type @param {string | undefined} initial @param {Use} use */
function field(element, block, type, initial, use) {
  const tell = (/** @type {Event} */ event) => {
    const control = /** @type {HTMLInputElement} */ (event.currentTarget);
    use(control.value, control);
  };
  return html`<input
    class="field"
    type=${type}
    value=${initial ?? ''}
    aria-label=${block.label?.text ?? element.placeholder?.text ?? type}
    data-block=${block.block_id}
    @change=${tell}
  />`;
}

/** A field to type into, in forms. @param {Element} element @param {Block} block */
export function textField(element, block) {
  const { type, multiline, initial_value: initial = '', max_length: maxLength } = element;
  const placeholder = element.placeholder?.text ?? nothing;
  const id = `field-${block.block_id}`;
  if (multiline) {
    return html`<textarea id=${id} class="field" rows="4" data-block=${block.block_id} placeholder=${placeholder}
      maxlength=${maxLength ?? nothing} ?autofocus=${element.focus_on_load} .defaultValue=${initial}></textarea>`;
  }
  return html`<input id=${id} class="field" data-block=${block.block_id} value=${initial} placeholder=${placeholder}
    type=${type === 'number_input' ? 'number' : 'text'} maxlength=${maxLength ?? nothing}
    ?autofocus=${element.focus_on_load} autocomplete="off" spellcheck="false" />`;
}

/** @param {Element} element @returns {{ value: string, label: string }[] | undefined} */
function optionsOf(element) {
  const { people, users } = frame();
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select': {
      const groups = (element.option_groups ?? []).flatMap(
        (/** @type {any} */ group) => group.options,
      );
      return [...(element.options ?? []), ...groups].map(({ value, text }) => ({
        value,
        label: text.text,
      }));
    }
    case 'users_select':
      return users
        .filter(({ id }) => people.includes(id))
        .map(({ id, realName }) => ({ value: id, label: realName }));
    case 'channels_select':
    case 'conversations_select':
      return [...state.channels.values()].map(({ id, name }) => ({ value: id, label: `#${name}` }));
    default:
      return undefined;
  }
}

/** @param {Element} element @returns {string[]} */
function initialValues(element) {
  const options = element.initial_options ?? [element.initial_option];
  const given = [
    ...options.map((/** @type {any} */ option) => option?.value),
    element.initial_user,
    element.initial_channel,
    element.initial_conversation,
  ];
  return given.filter((value) => value !== undefined);
}

/** What is filled in, in all fields below: by block id. @param {ParentNode} root */
export function filledIn(root) {
  /** @type {Record<string, string | string[]>} */
  const input = {};
  for (const control of root.querySelectorAll('[data-block]')) {
    const block = control.getAttribute('data-block') ?? '';
    if (control instanceof HTMLSelectElement && control.multiple) {
      input[block] = [...control.selectedOptions].map(({ value }) => value);
    } else if (control instanceof HTMLDivElement) {
      const checked = /** @type {HTMLInputElement[]} */ ([
        ...control.querySelectorAll('input:checked'),
      ]);
      const values = checked.map(({ value }) => value);
      input[block] = control.querySelector('[type=radio]') === null ? values : (values[0] ?? '');
    } else {
      input[block] = /** @type {HTMLInputElement} */ (control).value;
    }
  }
  return input;
}

/**
 * Asks first when the element wants it, then tells the app.
 * @param {Element} element @param {Block} block @param {Surface} surface
 * @param {string | string[]} choice @param {EventTarget | null} control
 */
function useElement(element, block, surface, choice, control) {
  if (block.type === 'input' && !block.dispatch_action) return;
  const run = () => void tellApp(element, block, surface, choice, control);
  const { confirm } = element;
  if (confirm === undefined) return run();
  change({
    question: {
      title: confirm.title.text,
      text: confirm.text.text,
      yes: confirm.confirm.text,
      no: confirm.deny.text,
      style: confirm.style ?? 'primary',
      run,
    },
  });
}

/** @param {Element} element @param {Block} block @param {Surface} surface @param {string | string[]} choice @param {EventTarget | null} control */
async function tellApp(element, block, surface, choice, control) {
  const pressed = control instanceof HTMLButtonElement ? control : undefined;
  pressed?.setAttribute('aria-busy', 'true');
  const what = {
    actionId: element.action_id,
    blockId: block.block_id,
    ...(element.value === undefined ? {} : { value: element.value }),
    ...(element.type === 'button' ? {} : { choice }),
  };
  const receipt =
    'message' in surface
      ? await act({ act: 'click', message: addressOf(surface.message), ...what })
      : await act({ act: 'click-in-view', viewId: surface.view.id, input: viewInput(), ...what });
  pressed?.removeAttribute('aria-busy');
  if (receipt.outcome === 'timeout') remark(`${frame().app.name} did not answer in time.`);
  if (receipt.outcome === 'unreachable') remark(`${frame().app.name} is not connected.`);
}

function viewInput() {
  const form = document.querySelector('dialog form.view');
  return form === null ? {} : filledIn(form);
}

/** @param {import('./types.js').Message} message */
export function addressOf({ channel, ts }) {
  return { channel, ts };
}

/** Plain text, with emoji names where the app allows them. @param {{ text: string, emoji?: boolean }} text */
export function plain(text) {
  if (text.emoji === false) return text.text;
  const parts = text.text.split(/(:[a-z0-9_+'-]+:)/);
  return parts.map((part, index) => (index % 2 === 1 ? emoji(part.slice(1, -1), part) : part));
}

/** @param {string} type */
export function notDrawn(type) {
  return html`<span class="not-drawn">${type}: not drawn here</span>`;
}
