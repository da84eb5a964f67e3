import { change } from './store.js';

/** @type {Record<string, string>} */
let characters = {};

/** Emoji by short name. GitHub's names, which are nearly always Slack's too. */
export async function loadEmoji() {
  const response = await fetch('/page/emoji.json');
  characters = await response.json();
  change();
}

/** The character for `:name:`; undefined for names that nobody knows. @param {string} name */
export function emojiOf(name) {
  return characters[name];
}
