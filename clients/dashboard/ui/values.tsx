import { limits } from '../../../infra/contract/limits.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A day in UTC, as `2026-11-23`. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** An instant in UTC; the tooltip shows it in the reader's time zone. `day`: the time is only in the tooltip. */
export function Time({ at, day }: { readonly at: string; readonly day?: boolean }) {
  const instant = new Date(at);
  const utc = `${two(instant.getUTCHours())}:${two(instant.getUTCMinutes())} UTC`;
  return (
    <time dateTime={at} title={`${instant.toLocaleString()} (your time)`}>
      <span>{dayOf(instant)}</span>
      {!day && (
        <>
          {' '}
          <span>{utc}</span>
        </>
      )}
    </time>
  );
}

/** US dollars: `$1.00`, `−$0.003`. `signed` also marks income with a sign. */
export function money(usd: string, { signed = false } = {}): string {
  const negative = usd.startsWith('-');
  const sign = negative ? '−' : signed && Number(usd) !== 0 ? '+' : '';
  return `${sign}$${negative ? usd.slice(1) : usd}`;
}

export const Money = ({ usd, signed }: { readonly usd: string; readonly signed?: boolean }) => (
  <span class={usd.startsWith('-') ? 'money out' : 'money'}>{money(usd, { signed })}</span>
);

/** A unit as it is printed: `µV` for `uV`. */
export const unitWords = (unit: string): string => unit.replace(/^u(?=V$)/, 'µ');

/** A whole number with thousands separators. */
export const count = (value: number | string): string => Number(value).toLocaleString('en-US');

/** `1 key`, `2 keys`. */
export const plural = (value: number, one: string): string => `${count(value)} ${value === 1 ? one : `${one}s`}`;

/** The unit of the price of labels. */
export const windowWords = `A window is ${limits.windowSeconds} seconds of a trial; a shorter trial is one window.`;
