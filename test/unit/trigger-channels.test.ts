import { describe, expect, it } from 'vitest';
import type { FilesSummary } from '../../clients/dashboard/models/file/summary.ts';
import { createTasks } from '../../clients/dashboard/models/file/tasks.ts';
import { openRecordings } from '../../infra/recordings/open-recordings.ts';
import { twoTriggers } from '../support/odd-recordings.ts';

describe('several trigger channels', () => {
  const bytes = twoTriggers();

  it('the one with the most events is used, and the page says which others there are', () => {
    const { annotations, notices } = openRecordings([{ name: 'a.edf', bytes }])[0].recording;
    expect(new Set(annotations.map((each) => each.text))).toEqual(new Set(['8']));
    expect(notices.join(' ')).toContain(
      'The 12 events come from the changes of the channel "TRIG 2". It has the most. ' +
        'Other channels with events are not used: "TRIG 1" (3).',
    );
  });

  it('a person can choose another one, and change the answer', async () => {
    const tasks = createTasks();
    const events = ({ events: found }: FilesSummary) => found.map(({ text: name, count }) => [name, count]);
    const summary = await tasks.open([new File([Buffer.from(bytes)], 'a.edf')]);
    expect([events(summary), summary.needs.triggers]).toEqual([[['8', 12]], ['TRIG 1']]);
    expect(events(await tasks.describe({ triggerChannel: 'TRIG 1' }))).toEqual([['5', 3]]);
    expect(events(await tasks.describe({}))).toEqual([['8', 12]]);
  });
});
