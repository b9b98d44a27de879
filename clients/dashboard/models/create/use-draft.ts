import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import { electrodesOf } from '../file/choice-of.ts';
import { dropDraft, emptyDraft, storedDraft, storeDraft, trialsPerClass, type Draft } from '../file/draft.ts';
import type { FilesSummary } from '../file/summary.ts';

/** The settings of the form. This browser keeps them, so that they survive leaving the page. */
export function useDraft(onChange: () => void) {
  const [stored] = useState(storedDraft);
  const [draft, setDraft] = useState<Draft>(stored ?? emptyDraft);
  const [isKept, setKept] = useState(stored !== null);
  const isFirst = useRef(true);
  // Before the next event, so that the last change is kept too if the page is left at once.
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else storeDraft(draft);
  }, [draft]);
  return {
    draft,
    /** True if the settings come from the last visit. */
    isKept,
    change: (change: Partial<Draft> | ((before: Draft) => Draft)): void => {
      onChange();
      setDraft((before) => (typeof change === 'function' ? change(before) : { ...before, ...change }));
    },
    startOver: (): void => {
      onChange();
      isFirst.current = true;
      dropDraft();
      setKept(false);
      setDraft(emptyDraft);
    },
  };
}

/** Number of steps that can be filled in: those after a step without anything to read stay closed. */
export function openSteps(draft: Draft, summary: FilesSummary | null): number {
  if (!summary) return 1;
  if (trialsPerClass(draft, summary).size < limits.minClasses) return 2;
  return electrodesOf(draft, summary).length === 0 ? 3 : 4;
}
