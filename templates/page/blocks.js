import { html, nothing } from 'lit-html';
import { element, notDrawn, plain, textField } from './elements.js';
import { mrkdwn } from './mrkdwn.js';
import { richText } from './rich-text.js';
import { change } from './store.js';

/** Block Kit as markup. */

/** @typedef {import('./types.js').Block} Block */
/** @typedef {import('./types.js').Surface} Surface */

/**
 * @param {readonly Block[]} list
 * @param {Surface} surface
 * @param {Readonly<Record<string, string>>} [faults] what is wrong with a form's fields, by block id
 */
export function blocks(list, surface, faults = {}) {
  // Slack shows a table below everything else.
  const inOrder = [...list.filter(isNoTable), ...list.filter((one) => !isNoTable(one))];
  return html`<div class="blocks">
    ${inOrder.map((one) => html`<div class="block ${one.type}">${block(one, surface, faults)}</div>`)}
  </div>`;
}

/** @param {Block} block */
function isNoTable({ type }) {
  return type !== 'table';
}

/** @param {Block} block @param {Surface} surface @param {Readonly<Record<string, string>>} faults @returns {unknown} */
function block(block, surface, faults) {
  switch (block.type) {
    case 'header':
      return html`<h3>${plain(block.text)}</h3>`;
    case 'divider':
      return html`<hr />`;
    case 'section':
      return section(block, surface);
    case 'context':
      return block.elements.map(contextElement);
    case 'actions':
      return block.elements.map((/** @type {any} */ one) => element(one, block, surface));
    case 'image':
      return image(block);
    case 'table':
      return table(block);
    case 'rich_text':
      return richText(/** @type {any} */ (block));
    case 'markdown':
      return html`<p class="text">${block.text}</p>`;
    case 'input':
      return input(block, surface, faults[block.block_id]);
    default:
      return notDrawn(block.type);
  }
}

/** @param {Block} block @param {Surface} surface */
function section(block, surface) {
  const { text, fields, accessory } = block;
  const isPicture = accessory?.type === 'image';
  return html`<div class="section-text">
      ${text === undefined ? nothing : html`<div class="text">${textObject(text)}</div>`}
      ${
        fields === undefined
          ? nothing
          : html`<div class="fields">
              ${fields.map((/** @type {any} */ field) => html`<div class="text">${textObject(field)}</div>`)}
            </div>`
      }
    </div>
    ${
      accessory === undefined
        ? nothing
        : html`<div class="accessory">
            ${isPicture ? html`<img class="thumb" src=${sourceOf(accessory)} alt=${accessory.alt_text} />` : element(accessory, block, surface)}
          </div>`
    }`;
}

/** @param {any} text */
export function textObject(text) {
  return text.type === 'plain_text' ? plain(text) : mrkdwn(text.text, text);
}

/** @param {any} one */
function contextElement(one) {
  return one.type === 'image'
    ? html`<img class="context-image" src=${sourceOf(one)} alt=${one.alt_text} />`
    : html`<span class="text">${textObject(one)}</span>`;
}

/** @param {Block} block */
function image(block) {
  const { title, alt_text: alt } = block;
  const source = sourceOf(block);
  const name = title?.text ?? alt;
  const enlarge = () =>
    change({ picture: { ...blankFile, name, title: name, alt, url_private: source } });
  return html`<figure>
    ${title === undefined ? nothing : html`<figcaption>${plain(title)}</figcaption>`}
    <button type="button" class="picture" aria-label="Show large: ${name}" @click=${enlarge}>
      <img src=${source} alt=${alt} loading="lazy" />
    </button>
  </figure>`;
}

export const blankFile = { id: '', filetype: '', mimetype: '', size: 0 };

/** Where the pixels are: uploaded files are on this server. @param {any} block */
function sourceOf({ image_url: url, slack_file: file }) {
  if (file?.id !== undefined) return `/files-pri/T-${file.id}/image`;
  return file?.url ?? url;
}

/** @param {Block} block */
function table({ rows, column_settings: settings = [] }) {
  const [head = [], ...body] = rows;
  const align = (/** @type {number} */ column) => settings[column]?.align ?? 'left';
  const cell = (/** @type {any} */ one) =>
    one.type === 'rich_text' ? richText(one) : (one.text ?? one.value);
  return html`<div class="table-box" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>${head.map((/** @type {any} */ one, /** @type {number} */ at) => html`<th scope="col" class=${align(at)}>${cell(one)}</th>`)}</tr>
      </thead>
      <tbody>
        ${body.map(
          (/** @type {any[]} */ row) =>
            html`<tr>${row.map((one, at) => html`<td class=${align(at)}>${cell(one)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {Block} block @param {Surface} surface @param {string | undefined} fault */
function input(block, surface, fault) {
  const { label, element: own, hint, optional } = block;
  const isText =
    /_input$/.test(own.type) && own.type !== 'rich_text_input' && own.type !== 'file_input';
  return html`<div class=${fault === undefined ? 'input-row' : 'input-row faulty'}>
    <label for="field-${block.block_id}">
      ${plain(label)}${optional ? html`<span class="optional"> (optional)</span>` : nothing}
    </label>
    ${isText ? textField(own, block) : element(own, block, surface)}
    ${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
    ${hint === undefined ? nothing : html`<p class="hint">${plain(hint)}</p>`}
  </div>`;
}
