/**
 * Runs inside a flame graph that is opened as a file in a browser: a click on a box zooms into it, the field at the top
 * searches, Escape goes back. Names are read from the picture and written as text, never as markup.
 */

/**
 * @typedef {object} Box
 * @property {SVGGElement} group
 * @property {SVGRectElement} rect
 * @property {number} row from the root, which is 0
 * @property {number} start of the whole, in [0, 1]
 * @property {number} width of the whole, in [0, 1]
 * @property {string} name shortened, for the label
 * @property {readonly string[]} amounts readings, the longest first
 * @property {string} words the whole name and the amount
 */

const chart = document.getElementById('chart');
const form = document.getElementById('search');
const tip = document.getElementById('tip');
if (chart !== null && form !== null && tip !== null) begin(chart, form, tip);

/**
 * @param {HTMLElement} chart
 * @param {HTMLElement} form
 * @param {HTMLElement} tip
 */
function begin(chart, form, tip) {
  const boxes = [...chart.querySelectorAll('.box')].map(readBox);
  const boxOf = new Map(boxes.map((box) => [box.group, box]));
  const measure = measurer(chart);
  const input = form.querySelector('input');
  const output = form.querySelector('output');
  const reset = form.querySelector('button');
  const note = tip.firstElementChild;
  const [root] = boxes;
  let zoomed = root;

  form.removeAttribute('hidden');
  // The whole name is shown beside the pointer; two tips would be one too many.
  for (const { group } of boxes) group.querySelector('title')?.remove();

  /** @param {Box} target */
  function zoom(target) {
    zoomed = target;
    for (const box of boxes) place(box, target, chart, measure);
    refresh();
  }

  function search() {
    const wanted = input.value.trim().toLowerCase();
    const hits = boxes.filter(({ words }) => wanted !== '' && words.toLowerCase().includes(wanted));
    for (const { group } of boxes) group.classList.remove('hit');
    for (const { group } of hits) group.classList.add('hit');
    chart.classList.toggle('is-searching', wanted !== '');
    output.textContent = wanted === '' ? '' : `${hits.length} · ${percent(coveredBy(hits))}`;
    refresh();
  }

  function refresh() {
    reset.disabled = zoomed === root && input.value === '';
  }

  /** @param {Event} event @returns {Box | undefined} */
  function boxAt({ target }) {
    return target instanceof Element ? boxOf.get(target.closest('.box')) : undefined;
  }

  chart.addEventListener('click', (event) => {
    const box = boxAt(event);
    if (box !== undefined) zoom(box);
  });
  chart.addEventListener('mousemove', (event) => {
    const box = boxAt(event);
    note.toggleAttribute('hidden', box === undefined);
    if (box === undefined) return;
    note.textContent = box.words;
    moveTip(tip, event);
  });
  chart.addEventListener('mouseleave', () => note.setAttribute('hidden', ''));
  input.addEventListener('input', search);
  form.addEventListener('submit', (event) => event.preventDefault());
  const start = () => {
    input.value = '';
    search();
    zoom(root);
  };
  form.addEventListener('reset', start);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') start();
    if (event.key !== '/' || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
}

/** @param {Element} group @returns {Box} */
function readBox(group) {
  const [row, start, width] = group.dataset.at.split(' ').map(Number);
  return {
    group,
    rect: group.querySelector('rect'),
    ...{ row, start, width },
    name: group.dataset.name,
    amounts: group.dataset.amounts.split('\t'),
    words: group.querySelector('title').textContent,
  };
}

/**
 * Puts a box where it lies when another fills the chart; boxes above that one fill it too, boxes beside it go.
 * @param {Box} box
 * @param {Box} target
 * @param {HTMLElement} chart
 * @param {(text: string) => number} measure
 */
function place(box, target, chart, measure) {
  const [left, width, padding] = ['left', 'width', 'padding'].map((key) =>
    Number(chart.dataset[key]),
  );
  const tiny = target.width * 1e-9;
  const isAbove =
    box.row < target.row &&
    box.start <= target.start + tiny &&
    box.start + box.width >= target.start + target.width - tiny;
  const isInside =
    box.row >= target.row &&
    box.start >= target.start - tiny &&
    box.start + box.width <= target.start + target.width + tiny;
  const boxPx = isAbove ? width : (box.width / target.width) * width;
  const x = isAbove ? left : left + ((box.start - target.start) / target.width) * width;
  box.group.classList.toggle('above', isAbove);
  box.group.toggleAttribute('display', false);
  if (!(isAbove || isInside) || boxPx < 0.2) {
    box.group.setAttribute('display', 'none');
    return;
  }
  box.rect.setAttribute('x', String(x));
  box.rect.setAttribute('width', String(Math.max(0.3, boxPx - 1)));
  write(box, { x: x + padding, room: boxPx - 1 - 2 * padding }, measure);
}

/**
 * Writes as much of a box's name as fits, its end rather than its beginning, and its amount.
 * @param {Box} box
 * @param {{ x: number, room: number }} place
 * @param {(text: string) => number} measure
 */
function write({ group, rect, name, amounts }, { x, room }, measure) {
  let text = group.querySelector('text');
  const words = room < 12 ? '' : fitted(name, amounts, room, measure);
  if (words === '') {
    text?.remove();
    return;
  }
  if (text === null) {
    text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    text.setAttribute('y', String(Number(rect.getAttribute('y')) + 19));
    text.setAttribute('fill', group.dataset.text);
    group.append(text);
  }
  text.setAttribute('x', String(x));
  text.textContent = words;
}

/**
 * @param {string} name
 * @param {readonly string[]} amounts
 * @param {number} room
 * @param {(text: string) => number} measure
 */
function fitted(name, amounts, room, measure) {
  const amount =
    amounts.find((one) => measure(one) <= room * 0.45) ??
    amounts.findLast((one) => measure(one) <= room);
  if (amount === undefined) return '';
  const characters = [...name];
  const nameRoom = room - measure(`  ${amount}`);
  if (measure(name) <= nameRoom) return `${name}  ${amount}`;
  let width = measure('…');
  let from = characters.length;
  while (from > 0 && width + measure(characters[from - 1]) <= nameRoom) {
    from -= 1;
    width += measure(characters[from]);
  }
  return characters.length - from < 4 ? amount : `…${characters.slice(from).join('')}  ${amount}`;
}

/**
 * Widths of texts as this browser draws them, character by character, each measured once.
 * @param {HTMLElement} chart
 * @returns {(text: string) => number}
 */
function measurer(chart) {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  probe.setAttribute('visibility', 'hidden');
  chart.append(probe);
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @param {string} character */
  const widthOf = (character) => {
    const width = known.get(character);
    if (width !== undefined) return width;
    // A single blank would be measured as nothing.
    probe.textContent = character.repeat(10);
    const measured = probe.getComputedTextLength() / 10;
    known.set(character, measured);
    return measured;
  };
  return (text) => [...text].reduce((sum, character) => sum + widthOf(character), 0);
}

/**
 * The share of the whole that boxes cover; boxes inside others count once.
 * @param {readonly Box[]} boxes
 */
function coveredBy(boxes) {
  let covered = 0;
  let end = 0;
  for (const { start, width } of [...boxes].sort(
    (a, b) => a.start - b.start || b.width - a.width,
  )) {
    const from = Math.max(start, end);
    if (start + width <= from) continue;
    covered += start + width - from;
    end = start + width;
  }
  return covered;
}

/** @param {number} share */
function percent(share) {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

/** Keeps the tip inside the picture. @param {HTMLElement} tip @param {MouseEvent} event */
function moveTip(tip, { clientX, clientY }) {
  const svg = document.documentElement;
  const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  const note = tip.firstElementChild.getBoundingClientRect();
  const { width, height } = svg.viewBox.baseVal;
  tip.setAttribute('x', String(Math.max(0, Math.min(point.x + 16, width - note.width - 8))));
  const below = point.y + 22;
  const y = below + note.height > height ? point.y - note.height - 12 : below;
  tip.setAttribute('y', String(Math.max(0, y)));
}
