import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** True once a page was shown. Later pages take the focus, so that a screen reader announces their heading. */
let shownBefore = false;

/** A page: its title, its heading, its actions. */
export function Page({
  title,
  lead,
  actions,
  narrow,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** A narrow column, for forms. */
  readonly narrow?: boolean;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · EEG task classifiers`;
  }, [title]);
  useEffect(() => {
    if (shownBefore) heading.current?.focus({ preventScroll: true });
    shownBefore = true;
  }, []);
  return (
    <div class={narrow ? 'page narrow' : 'page'}>
      <div class="head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </div>
  );
}
