import type { ComponentChildren } from 'preact';

const stepTitles = ['Files', 'Classes', 'Signal', 'Price', 'Create'] as const;

const placeOf = (step: number): string => `step-${stepTitles[step].toLowerCase()}`;

/** The steps of a create: those that are done, the current one, and those to come. `open`: number of open steps. */
export function Steps({ open }: { readonly open: number }) {
  return (
    <nav class="stepper" aria-label="Steps">
      <ol>
        {stepTitles.map((title, i) => {
          const state = i < open - 1 ? 'done' : i === open - 1 ? 'current' : 'closed';
          const words = (
            <>
              <span class="mark" aria-hidden="true">
                {state === 'done' ? '✓' : i + 1}
              </span>
              {title}
            </>
          );
          return (
            <li key={title} class={state} aria-current={state === 'current' ? 'step' : undefined}>
              {state === 'closed' ? <span>{words}</span> : <a href={`#${placeOf(i)}`}>{words}</a>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** One step. While it is closed it says what it waits for. */
export function Step({
  step,
  title,
  waitsFor,
  children,
}: {
  /** Index in `stepTitles`. */
  readonly step: number;
  readonly title: string;
  /** Null: the step is open. */
  readonly waitsFor: string | null;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={waitsFor === null ? 'card step' : 'card step closed'} id={placeOf(step)} aria-label={title}>
      <h2>
        <span class="number" aria-hidden="true">
          {step + 1}
        </span>
        {title}
      </h2>
      {waitsFor === null ? children : <p class="waits">{waitsFor}</p>}
    </section>
  );
}
