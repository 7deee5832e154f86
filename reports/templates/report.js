
// Adds what a page without scripts cannot have: filters, sorting, folding, copying. Nothing is shown
// only by this script.
'use strict';

const make = (name, properties) => Object.assign(document.createElement(name), properties);

// A row of controls before `element`.
function toolsBefore(element) {
  const tools = make('div', {className: 'tools'});
  element.before(tools);
  return tools;
}

function addFilter(table) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 2) return;
  const name = table.dataset.name;
  const tools = toolsBefore(table.closest('.scroll'));
  const text = make('input', {type: 'search', placeholder: 'words to find'});
  text.setAttribute('aria-label', 'Filter ' + name + ' by words');
  const verdicts = new Set(rows.flatMap((row) =>
      [...row.querySelectorAll('[data-verdict]')].map((cell) => cell.dataset.verdict)));
  const choice = make('select', {});
  choice.setAttribute('aria-label', 'Filter ' + name + ' by verdict');
  choice.append(make('option', {value: '', textContent: 'any verdict'}));
  for (const verdict of [...verdicts].sort()) {
    choice.append(make('option', {value: verdict, textContent: verdict}));
  }
  const shown = make('output', {});
  const contents = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      const fits = words.every((word) => contents[i].includes(word)) &&
          (choice.value === '' ||
           row.querySelector('[data-verdict="' + choice.value + '"]') !== null);
      row.hidden = !fits;
      count += fits ? 1 : 0;
    });
    shown.textContent = count + ' of ' + rows.length + ' lines';
  };
  text.addEventListener('input', apply);
  choice.addEventListener('change', apply);
  tools.append(text, choice, shown);
  apply();
}

function cellValue(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.value || cell.textContent.trim();
  const number = Number.parseFloat(text);
  return cell.classList.contains('number') ? (Number.isNaN(number) ? -Infinity : number) : text;
}

function sortBy(table, header, column) {
  const descending = header.getAttribute('aria-sort') === 'ascending';
  for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const order = (a, b) => typeof a === 'number' ? a - b : a < b ? -1 : a > b ? 1 : 0;
  const rows = [...body.rows].map((row) => [cellValue(row, column), row]);
  rows.sort((a, b) => descending ? order(b[0], a[0]) : order(a[0], b[0]));
  body.append(...rows.map(([, row]) => row));
}

function addSorting(table) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = make('button', {type: 'button', textContent: header.textContent});
    button.addEventListener('click', () => sortBy(table, header, column));
    header.replaceChildren(button);
  });
}

// Buttons that unfold and fold everything of a section, and a filter for it.
function addFolding(section) {
  const all = [...section.querySelectorAll('details[data-text]')];
  if (all.length < 2) return;
  const tools = toolsBefore(all[0]);
  for (const [label, open] of [['Unfold all', true], ['Fold all', false]]) {
    const button = make('button', {type: 'button', textContent: label});
    button.addEventListener('click', () => all.forEach((d) => { d.open = open; }));
    tools.append(button);
  }
  const title = section.querySelector('h2').textContent;
  const text = make('input', {type: 'search', placeholder: 'words to find'});
  text.setAttribute('aria-label', 'Filter: ' + title);
  const shown = make('output', {});
  text.addEventListener('input', () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const details of all) {
      const contents = details.textContent.toLowerCase();
      details.hidden = !words.every((word) => contents.includes(word));
      count += details.hidden ? 0 : 1;
    }
    shown.textContent = count + ' of ' + all.length;
  });
  tools.append(text, shown);
}

function addCopying(code) {
  const button = make('button', {type: 'button', textContent: 'Copy'});
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
  });
  code.after(' ', button);
}

// A link into something folded unfolds it.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) {
    if (e.tagName === 'DETAILS') e.open = true;
  }
  target.scrollIntoView();
}

for (const table of document.querySelectorAll('table.filtered')) addFilter(table);
for (const table of document.querySelectorAll('table.sortable')) addSorting(table);
for (const section of document.querySelectorAll('section')) addFolding(section);
for (const code of document.querySelectorAll('[data-copy]')) addCopying(code);
addEventListener('hashchange', openTarget);
openTarget();
