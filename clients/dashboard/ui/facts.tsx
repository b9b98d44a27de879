import type { ComponentChildren } from 'preact';

/** A few important numbers, each with its name and meaning. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren, meaning?: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value, meaning]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="value">{value}</dd>
          {meaning && <dd class="meaning">{meaning}</dd>}
        </div>
      ))}
    </dl>
  );
}
