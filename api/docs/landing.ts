import { frame, topLine } from './layout.ts';

/** `/`: what the service is, and links. */
export const landingPage = (): string =>
  frame(
    'EEG task classifiers',
    'Labelled EEG trials in, a hosted classifier with honest evidence out.',
    `${topLine()}
<main class="landing">
<h1>EEG classifiers from a sentence and labelled trials</h1>
<p>Send a short description of a task and EEG trials with their labels.
The service tries every compatible method on trials it held out, keeps the best one and shows the evidence.
It hosts that model, which labels new trials with one probability for each class.</p>
<p class="begin"><a class="button" href="/dashboard/sign-up">Sign up and try with sample data</a>
<a href="/dashboard/sample">See a sample report</a></p>
<ul class="ways">
<li><a href="/docs/without-code">Without code</a><span>From a recording to labels in the browser</span></li>
<li><a href="/docs/quickstart">Quickstart</a><span>A first prediction in five minutes</span></li>
<li><a href="/dashboard">Dashboard</a><span>Keys, models, reports, billing</span></li>
<li><a href="/docs">Documentation</a><span>How to epoch, what the evidence means, prices, privacy</span></li>
<li><a href="/docs/api">Reference</a><span>Every route, field and error</span></li>
<li><a href="/v1/status">Status</a><span>Whether the service takes requests now</span></li>
</ul>
<p class="small">Research use only; not a medical device.</p>
</main>`,
  );
