import { useLocation } from 'preact-iso/router';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { goalsFor, type Goal } from './goals.ts';
import { listModels } from './models/service.ts';
import { places } from './places.ts';
import { Dialog } from './ui/dialog.tsx';
import { useHasTerms } from './ui/terms-notice.tsx';

const pages: readonly Goal[] = [
  ...places.map(({ path, words }) => ({ path, words, kind: 'Page' })),
  { path: '/dashboard/create', words: 'Create a model', kind: 'Page' },
  { path: '/dashboard/sample', words: 'Sample report', kind: 'Page' },
  { path: '/docs/without-code', words: 'Without code', kind: 'Documentation' },
  { path: '/docs/quickstart', words: 'Quickstart', kind: 'Documentation' },
  { path: '/docs/evidence', words: 'What the evidence means', kind: 'Documentation' },
  { path: '/docs/billing', words: 'Prices', kind: 'Documentation' },
  { path: '/docs/api', words: 'Reference', kind: 'Documentation' },
];

/** The newest models of both modes; empty before the terms are accepted, and if they cannot be read. */
function useModelGoals(): readonly Goal[] {
  const hasTerms = useHasTerms();
  const [models, setModels] = useState<readonly Goal[]>([]);
  useEffect(() => {
    if (!hasTerms) return;
    void Promise.all([listModels('live', null), listModels('test', null)]).then(
      (lists) =>
        setModels(
          lists.flatMap(({ data }) =>
            data.map(({ id, name, description, test }) => ({
              path: `/dashboard/models/${id}`,
              words: name ?? description,
              kind: test ? 'Test model' : 'Model',
            })),
          ),
        ),
      () => undefined,
    );
  }, [hasTerms]);
  return models;
}

/** Finds a page or a model by typing. Arrow keys choose, Enter opens. */
export function GoTo({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const models = useModelGoals();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const found = useMemo(() => goalsFor([...pages, ...models], search), [models, search]);
  const chosen = Math.min(at, found.length - 1);
  const open = ({ path }: Goal): void => {
    onClose();
    if (path.startsWith('/dashboard')) route(path);
    else location.assign(path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setAt((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' && found[chosen]) open(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Page or model"
        aria-expanded="true"
        aria-controls="goals"
        aria-activedescendant={found[chosen] ? `goal-${chosen}` : undefined}
        placeholder="Type the name of a page or model"
        autofocus
        value={search}
        onInput={({ currentTarget }) => {
          setSearch(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="goals" class="goals" role="listbox" aria-label="Pages and models">
        {found.map((goal, i) => (
          <li
            key={goal.path}
            id={`goal-${i}`}
            role="option"
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onClick={() => open(goal)}
          >
            <span>{goal.words}</span>
            <small>{goal.kind}</small>
          </li>
        ))}
      </ul>
      <p class="fine" role="status">
        {found.length === 0 ? 'Nothing has this name.' : 'Arrow keys choose, Enter opens, Escape closes.'}
      </p>
    </Dialog>
  );
}
