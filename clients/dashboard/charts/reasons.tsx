/** A method without a score, and why it has none. */
export interface MethodAndReason {
  readonly title: string;
  readonly reason: string;
}

/** Every reason once, with the methods that it holds for. */
export function Reasons({ of }: { readonly of: readonly MethodAndReason[] }) {
  const titles = new Map<string, string[]>();
  for (const { title, reason } of of) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  return (
    <dl class="reasons">
      {[...titles].map(([reason, own]) => (
        <div key={reason}>
          <dt>{reason}</dt>
          <dd>
            {own.length > 1 && `${own.length} methods: `}
            {own.join('; ')}.
          </dd>
        </div>
      ))}
    </dl>
  );
}
