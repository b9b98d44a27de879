import { parseUsd, prices } from '../../../../infra/contract/prices.ts';
import { endOf, iso } from '../../models/badges.tsx';
import { money, Time } from '../../ui/values.tsx';
import type { ModelList } from './models.tsx';

type Model = ModelList['data'][number];

const soonSeconds = 3 * 24 * 3600;

/** Models that end within three days, the first one first. */
export const endingSoon = (models: readonly Model[], nowSeconds: number): readonly Model[] =>
  models.filter((model) => endOf(model) - nowSeconds < soonSeconds).toSorted((a, b) => endOf(a) - endOf(b));

/** Whether the balance pays less than the next month of every live model. */
export const isLow = (models: readonly Model[], balanceUsd: string): boolean => {
  const hosted = BigInt(models.filter(({ test, status }) => !test && status === 'active').length);
  return hosted > 0n && parseUsd(balanceUsd) < hosted * prices.hostingMonth;
};

/** What needs a decision soon: models that end, and a low balance. */
export function OverviewNotices({
  models,
  balanceUsd,
}: {
  readonly models: readonly Model[];
  readonly balanceUsd: string;
}) {
  const ending = endingSoon(models, Date.now() / 1000);
  return (
    <>
      {ending.map((model) => (
        <p key={model.id} class="notice warn">
          <a href={`/dashboard/models/${model.id}`}>{model.name ?? model.description}</a>{' '}
          {model.test ? 'is a test model and is deleted' : 'expires'} on <Time at={iso(endOf(model))} day />.{' '}
          {!model.test && 'Change the day on its page if you still need it.'}
        </p>
      ))}
      {isLow(models, balanceUsd) && (
        <p class="notice warn">
          Your balance of {money(balanceUsd)} does not pay the next month of all live models.{' '}
          <a href="/dashboard/billing">See your balance</a>, or delete models that you no longer need.
        </p>
      )}
    </>
  );
}
