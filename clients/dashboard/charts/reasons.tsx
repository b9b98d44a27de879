import { plural } from '../ui/values.tsx';

/** A method without a score, and why it has none. */
export interface MethodAndReason {
  readonly title: string;
  readonly reason: string;
}

/** How many methods are compared, and how many are not. */
export const comparedWords = (compared: number, others: number): string =>
  `${plural(compared, 'method')} ${compared === 1 ? 'is' : 'are'} compared; ` +
  `${others} ${others === 1 ? 'other is not, for this reason' : 'others are not, for these reasons'}`;

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
