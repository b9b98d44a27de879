import { readFileSync } from 'node:fs';
import { formatsRead } from '../../infra/contract/formats.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { priceList } from '../../infra/contract/price-list.ts';
import { verdictOf, type Judged } from '../../infra/contract/verdict.ts';
import { frame } from './layout.ts';
import { escape } from './markup.ts';
import { recording } from './pictures/recording.ts';

/** The report of the model behind the public sample report. */
const sampleReport = (): Judged =>
  (
    JSON.parse(readFileSync(new URL('../../infra/recordings/sample/model.json', import.meta.url), 'utf8')) as {
      training_report: Judged;
    }
  ).training_report;

/** The verdict of the sample report, as its page shows it. */
function sampleVerdict(): string {
  const { text, numbers } = verdictOf(sampleReport());
  const rows = numbers.map(
    ({ name, value, meaning }) =>
      `<div><dt>${escape(name)}</dt><dd class="value">${escape(value)}</dd><dd>${escape(meaning)}</dd></div>`,
  );
  return `<div class="verdict"><p>${escape(text)}</p><dl>${rows.join('')}</dl></div>`;
}

/** `/`: what the service is, a picture, a sample report, the price, and links. */
export const landingPage = (): string =>
  frame(
    'EEG task classifiers',
    'Labelled EEG trials in, a hosted classifier with honest evidence out.',
    `<main class="landing" id="content" tabindex="-1">
<div class="opening">
<div>
<h1>Train an EEG classifier on your own recording</h1>
<p class="lead">You give a recording, the events in it and one sentence about the task.
The service compares all methods that suit the task, says honestly how well the best one works, and labels your next
recordings. No code needed.</p>
<p class="begin"><a class="button" href="/dashboard/sign-up">Sign up and try with sample data</a>
<a href="/dashboard/sample">See a sample report</a></p>
<p class="small">New accounts start with ${dollars(prices.newAccountCredit)} of free credit.</p>
</div>
${recording()}
</div>

<h2>How it works</h2>
<ol class="stages">
<li><strong>Drop a recording</strong><span>${formatsRead}. Choose which events are which class.
Your browser cuts the trials.</span></li>
<li><strong>Read the report</strong><span>Every score comes from trials that the method has not seen.
It says what guessing gives, and whether eyes or muscles explain the score.</span></li>
<li><strong>Label new recordings</strong><span>A label and a probability for each trial, as a table for your analysis,
or from Python and TypeScript.</span></li>
</ol>

<h2>An honest report</h2>
<p>This is the result of a real recording: one person imagined moving both fists or both feet.
<a href="/dashboard/sample">Open all of it</a>.</p>
${sampleVerdict()}

<h2>What it costs</h2>
<ul class="prices">
${priceList
  .map(
    ({ what, price, note }) =>
      `<li><span>${escape(what)}</span><strong>${escape(price)}</strong><span>${escape(note)}</span></li>`,
  )
  .join('\n')}
</ul>
<p>You pay from a balance. Each cost is shown before it arises. <a href="/docs/billing">All prices and refunds</a></p>

<h2>Where to go next</h2>
<ul class="ways">
<li><a href="/docs/without-code">Without code</a><span>From a recording to labels in the browser</span></li>
<li><a href="/docs/quickstart">Quickstart</a><span>A first prediction in five minutes, from a program</span></li>
<li><a href="/docs">Docs</a><span>How to epoch, what the evidence means, prices, privacy</span></li>
<li><a href="/docs/api">API reference</a><span>Every route, field and error</span></li>
<li><a href="/dashboard">Dashboard</a><span>Keys, models, reports, billing</span></li>
<li><a href="/v1/status">Status</a><span>Whether the service takes requests now</span></li>
</ul>
<p class="small">Research use only; not a medical device.</p>
</main>`,
  );
