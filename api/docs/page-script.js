/** Comforts of the documentation pages, which work without this file: search, copy buttons, one remembered language. */

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

rememberLanguage();
addCopyButtons();
addSearch();
