import { svg } from 'lit-html';

/** Line icons, drawn on a square of 20. @param {unknown} shape */
const icon = (shape) =>
  svg`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${shape}</svg>`;

export const hash = icon(svg`<path d="M4 7.5h13M3 12.5h13M8 3 6 17M14 3l-2 14"/>`);
export const lock = icon(svg`<path d="M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9"/>`);
export const send = icon(svg`<path d="M3 4l14 6-14 6 2.5-6zM5.5 10H11"/>`);
export const close = icon(svg`<path d="M5 5l10 10M15 5 5 15"/>`);
export const thread = icon(svg`<path d="M4 4h12v9h-6l-4 3v-3H4zM7 7.5h6M7 10h4"/>`);
export const more = icon(
  svg`<circle cx="5" cy="10" r="1"/><circle cx="10" cy="10" r="1"/><circle cx="15" cy="10" r="1"/>`,
);
export const menu = icon(svg`<path d="M3 5.5h14M3 10h14M3 14.5h14"/>`);
export const compass = icon(
  svg`<circle cx="10" cy="10" r="7"/><path d="m12.8 7.2-1.5 4.1-4.1 1.5 1.5-4.1z"/>`,
);
export const eye = icon(
  svg`<path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5z"/><circle cx="10" cy="10" r="2"/>`,
);
export const link = icon(
  svg`<path d="M8.5 11.5a3 3 0 0 0 4.2 0l2.4-2.4a3 3 0 0 0-4.2-4.2L9.8 6M11.5 8.5a3 3 0 0 0-4.2 0l-2.4 2.4a3 3 0 0 0 4.2 4.2l1.1-1.1"/>`,
);
export const people = icon(
  svg`<circle cx="8" cy="7" r="2.6"/><path d="M3 16c0-3 2.2-5 5-5s5 2 5 5M13.5 4.8a2.4 2.4 0 0 1 0 4.4M14.5 11.4c1.6.6 2.5 2.2 2.5 4.6"/>`,
);
export const file = icon(svg`<path d="M5 3h7l3 3v11H5zM12 3v3h3"/>`);
export const bolt = icon(svg`<path d="M11 3 5 11h4l-1 6 7-9h-4z"/>`);
