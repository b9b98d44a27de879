import { bytesInWords, type QuotaName } from '../../../../infra/contract/quotas.ts';
import type { AccountLimitsAnswer } from '../../../../api/account/contract/responses.ts';
import { Facts } from '../../ui/facts.tsx';
import { count, Time } from '../../ui/values.tsx';

type Quota = AccountLimitsAnswer['quotas'][number];

const ofCollecting = 'Fit or delete one to make room.';
const ofFitted = 'Delete models to make room.';
const ofAnswers = 'When a model is deleted, the answers about it are removed.';

/** The name of each quota, and how to make room in it. */
const words: Readonly<Record<QuotaName, readonly [title: string, room: string]>> = {
  dailyTestCreates: ['Creates with test keys today', ''],
  dailyTestWindows: ['Windows labelled with test keys today', ''],
  collectingModels: ['Models that collect trials', ofCollecting],
  testModels: ['Fitted models of test keys', ofFitted],
  liveModels: ['Fitted models of live keys', ofFitted],
  runningFits: ['Fits that run now', ''],
  batchBytes: ['Data of models that collect trials', ofCollecting],
  storedAnswers: ['Answers kept for retries', ofAnswers],
  storedAnswerBytes: ['Size of the answers kept for retries', ofAnswers],
};

const amount = (unit: Quota['unit'], value: number): string => (unit === 'bytes' ? bytesInWords(value) : count(value));

/** Usage of a quota: `12 of 1,000`. */
const Used = ({ quota: { unit, used, limit } }: { readonly quota: Quota }) => (
  <>
    {amount(unit, used)} <small>{limit === null ? 'no limit' : `of ${amount(unit, limit)}`}</small>
  </>
);

/** How to free a quota. */
function Room({ quota: { name, kind, frees_at: at } }: { readonly quota: Quota }) {
  if (kind === 'daily') return <>Starts again at midnight (UTC).</>;
  return (
    <>
      {words[name][1]}
      {at !== null && (
        <>
          {' '}
          The next one expires on <Time at={at} day />.
        </>
      )}
    </>
  );
}

/** How much of its storage and its daily allowances the account uses. */
export const Quotas = ({ quotas }: { readonly quotas: readonly Quota[] }) => (
  <Facts
    facts={quotas.map((quota) => [
      words[quota.name][0],
      <Used key={`${quota.name}-used`} quota={quota} />,
      <Room key={quota.name} quota={quota} />,
    ])}
  />
);
