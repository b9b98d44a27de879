/**
 * Comforts of the documentation pages, which work without this file: search, copy buttons, one remembered language, the
 * reader's own key in the examples.
 */

const languageKey = 'docs-language';

/** Chooses a language in every group of tabs that has it. */
function chooseLanguage(name) {
  for (const label of document.querySelectorAll('.tabs > label'))
    if (label.textContent === name) document.getElementById(label.htmlFor).checked = true;
}

function rememberLanguage() {
  const read = () => {
    try {
      return localStorage.getItem(languageKey);
    } catch {
      return null;
    }
  };
  const name = read();
  if (name) chooseLanguage(name);
  for (const input of document.querySelectorAll('.tabs > input'))
    input.addEventListener('change', () => {
      const chosen = input.labels[0].textContent;
      chooseLanguage(chosen);
      try {
        localStorage.setItem(languageKey, chosen);
      } catch {
        // The browser keeps nothing: the choice holds for this page.
      }
    });
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(block.textContent.trimEnd());
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(block);
        button.textContent = 'Selected';
      }
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    };
    button.addEventListener('click', () => void copy());
    const around = document.createElement('div');
    around.className = 'code';
    block.replaceWith(around);
    around.append(block, button);
  }
}

const mostFound = 10;

/** Sections that contain every word, those with the words in their heading first. */
function sectionsFor(sections, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const inHeading = sections.filter(({ page, heading }) => has(`${page} ${heading}`));
  const inText = sections.filter(
    (each) => !inHeading.includes(each) && has(`${each.page} ${each.heading} ${each.text}`),
  );
  return [...inHeading, ...inText].slice(0, mostFound);
}

function addSearch() {
  const contents = document.getElementById('contents');
  if (!contents) return;
  const box = document.createElement('div');
  box.className = 'search';
  box.innerHTML =
    '<label for="search">Search the documentation</label><input type="search" id="search" autocomplete="off">' +
    '<ul id="found"></ul><p role="status"></p>';
  contents.prepend(box);
  const [input, list, status] = [box.querySelector('input'), box.querySelector('ul'), box.querySelector('p')];
  let sections;
  const show = async () => {
    sections ??= fetch('/docs/search.json').then((answer) => answer.json());
    const search = input.value;
    const all = await sections.catch(() => {
      // The next letter tries again.
      sections = undefined;
      return [];
    });
    if (search !== input.value) return;
    const found = sectionsFor(all, search);
    list.replaceChildren(
      ...found.map(({ url, page, heading }) => {
        const link = Object.assign(document.createElement('a'), { href: url, textContent: heading });
        const item = document.createElement('li');
        item.append(link);
        if (page !== heading) item.append(Object.assign(document.createElement('small'), { textContent: ` ${page}` }));
        return item;
      }),
    );
    status.textContent = search.trim() !== '' && found.length === 0 ? 'Nothing was found. Try another word.' : '';
  };
  input.addEventListener('input', () => void show());
}

/** Where the account pages keep the test key that this tab was shown. */
const keyPlace = 'eeg-own-key';
const isTestKey = (text) => /^eeg_test_[A-Za-z0-9]{16}_[A-Za-z0-9]{48}$/.test(text);

function keptKey() {
  try {
    const key = sessionStorage.getItem(keyPlace) ?? '';
    return isTestKey(key) ? key : null;
  } catch {
    return null;
  }
}

function keepKey(key) {
  try {
    if (key) sessionStorage.setItem(keyPlace, key);
    else sessionStorage.removeItem(keyPlace);
  } catch {
    // The browser keeps nothing: the key holds for this page.
  }
}

/** Shows a test key of the reader in the examples. It stays in this tab, and no request carries it. */
function addOwnKey() {
  const places = [...document.querySelectorAll('main .own-key')].map((place) => ({ place, before: place.textContent }));
  if (places.length === 0) return;
  const box = document.createElement('div');
  box.className = 'key-box';
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Your test key');
  box.innerHTML =
    '<p></p><input type="text" aria-label="Test key" placeholder="eeg_test_…" autocomplete="off" spellcheck="false">' +
    '<button type="button"></button><p role="status"></p>';
  const [words, status] = box.querySelectorAll('p');
  const [input, button] = [box.querySelector('input'), box.querySelector('button')];
  let key = keptKey();
  const show = () => {
    for (const { place, before } of places) place.textContent = key ?? before;
    input.hidden = key !== null;
    button.textContent = key ? 'Remove my key' : 'Fill in';
    if (key) words.textContent = 'Your test key is in the examples of this page. It stays in this browser tab.';
    else words.innerHTML = 'Paste a <a href="/dashboard/keys">test key</a> to see it in the examples.';
  };
  button.addEventListener('click', () => {
    const typed = input.value.trim();
    status.textContent = '';
    if (key) key = null;
    else if (isTestKey(typed)) key = typed;
    else status.textContent = 'This is not a test key. A test key begins with eeg_test_ and has 74 characters.';
    keepKey(key);
    input.value = '';
    show();
  });
  show();
  const { place } = places[0];
  (place.closest('.tabs') ?? place.closest('.code')).before(box);
}

rememberLanguage();
addCopyButtons();
addOwnKey();
addSearch();
