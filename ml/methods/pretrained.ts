import { unreadable as labramUnreadable } from '../encoders/labram/index.ts';
import { attentionHead } from './parts/attention-head.ts';
import { tunedLogistic } from './parts/classifiers.ts';
import { embedding } from './parts/embedding.ts';
import { pipeline } from './parts/pipeline.ts';
import { readTogether } from './parts/read-together.ts';
import { atLeastSeconds, atMostChannels, firstOf } from './reasons.ts';
import { atLeastSites, everySiteNamed } from './site-reasons.ts';
import type { Method } from './types.ts';

const wholeSeconds = firstOf(everySiteNamed, atLeastSites(2), atLeastSeconds(1, 'steps of whole seconds'));
const frames = atLeastSeconds(2.2, 'a frame of 2.1 s');
const sleepRow = {
  id: 'robust-sleep-net-logistic',
  version: '1',
  title: 'RobustSleepNet embeddings, logistic regression',
  source: 'Guillot & Thorey 2021, IEEE Trans. Neural Syst. Rehabil. Eng. 29',
  family: 'RobustSleepNet',
  kinds: ['sleep'],
} as const;

/** Kinds of task on which heads on frozen embeddings of general encoders are tried. */
const general = ['motor', 'erp', 'other'] as const;

/** Heads on frozen embeddings of pretrained encoders. `npm run models` installs their weights. */
export const pretrainedMethods: readonly Method[] = [
  readTogether(
    pipeline(sleepRow, embedding('robust-sleep-net', 'alone', frames), tunedLogistic),
    pipeline(sleepRow, embedding('robust-sleep-net', 'together', frames), tunedLogistic),
  ),
  pipeline(
    {
      id: 'labram-base-logistic',
      version: '1',
      title: 'LaBraM embeddings, logistic regression',
      source: 'Jiang, Zhao & Lu 2024, ICLR',
      family: 'LaBraM pooled',
      kinds: general,
    },
    embedding('labram-base', 'pooled', labramUnreadable),
    tunedLogistic,
  ),
  pipeline(
    {
      id: 'labram-base-attention',
      version: '1',
      title: 'LaBraM embeddings of each site, attention head',
      source: 'Jiang, Zhao & Lu 2024, ICLR; Ilse et al. 2018, ICML',
      family: 'LaBraM sites',
      kinds: general,
      unreadable: atMostChannels(64, 'an embedding of each is kept'),
    },
    embedding('labram-base', 'sites', labramUnreadable),
    attentionHead(200),
  ),
  pipeline(
    {
      id: 'dcrnn-tusz-logistic',
      version: '1',
      title: 'DCRNN states of 19 sites, logistic regression',
      source: 'Tang et al. 2022, ICLR',
      family: 'DCRNN',
      kinds: general,
    },
    embedding('dcrnn-tusz', 'nodes', wholeSeconds),
    tunedLogistic,
  ),
  pipeline(
    {
      id: 'dcrnn-tusz-attention',
      version: '1',
      title: 'DCRNN states of 19 sites, attention head',
      source: 'Tang et al. 2022, ICLR; Ilse et al. 2018, ICML',
      family: 'DCRNN attention',
      kinds: general,
    },
    embedding('dcrnn-tusz', 'nodes', wholeSeconds),
    attentionHead(64),
  ),
];
