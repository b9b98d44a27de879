import { frame } from './layout.ts';
import { escape } from './markup.ts';

/** An error as it is shown to a person in a browser. */
export interface ShownError {
  readonly status: number;
  /** For the operator. */
  readonly requestId: string;
  /** Seconds until the next attempt; null: not known. */
  readonly retryAfter: number | null;
  /** True for the address of a shared report. */
  readonly isShared: boolean;
  /** Address to open instead, if the request came over plain HTTP and was refused; else null. */
  readonly secureAddress: string | null;
}

/** Files that the page loads. They are served over plain HTTP too. */
export const partsOfErrorPage: readonly string[] = ['/docs/style.css', '/docs/icon.svg'];

interface Words {
  readonly title: string;
  readonly text: string;
}

function wordsOf({ status, retryAfter, isShared, secureAddress }: ShownError): Words {
  if (secureAddress !== null)
    return {
      title: 'Open the secure address',
      text:
        'The address that you opened begins with http://, so others on the network could read what you send. This ' +
        'service therefore opens over https:// only.',
    };
  if (status === 404 && isShared)
    return {
      title: 'This report is not shared any more',
      text: 'The link was ended, or the report is not here any more. Ask the person who sent it for a new link.',
    };
  if (status === 404)
    return {
      title: 'This page does not exist',
      text: 'The address may have a typing error, or the page has moved. Start from one of these pages:',
    };
  if (status === 401)
    return { title: 'Sign in first', text: 'This address is for people who are signed in to the dashboard.' };
  if (status === 403)
    return { title: 'You may not see this', text: 'This account has no permission for this address.' };
  if (status === 429)
    return {
      title: 'Too many requests',
      text: `Your network asked too often. Wait ${retryAfter ?? 10} seconds, then load the page again.`,
    };
  if (status >= 500)
    return {
      title: 'The service cannot answer now',
      text: 'Load the page again in a minute. If this continues, tell the operator of this service.',
    };
  return {
    title: 'This request cannot be answered',
    text: 'The address is not complete, or part of it is wrong. Start from one of these pages:',
  };
}

const waysOn = `<ul class="ways">
<li><a href="/">Home</a><span>What this service does</span></li>
<li><a href="/dashboard">Dashboard</a><span>Your models, reports, keys and balance</span></li>
<li><a href="/docs">Docs</a><span>How to make and use a classifier</span></li>
</ul>`;

const secureWay = (address: string): string => `<ul class="ways">
<li><a href="${escape(address)}">Open the secure address</a><span>${escape(address)}</span></li>
</ul>
<p>If that address does not open, the service was set up without a certificate. Ask the operator to add one.</p>`;

/** The page that a browser shows for an error. Programs get the error object instead. */
export function errorPage(error: ShownError): string {
  const { title, text } = wordsOf(error);
  return frame(
    `${title} · EEG task classifiers`,
    title,
    `<main class="landing" id="content" tabindex="-1">
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
${error.secureAddress === null ? waysOn : secureWay(error.secureAddress)}
<p class="small">For the operator: request ${escape(error.requestId)}</p>
</main>`,
  );
}
