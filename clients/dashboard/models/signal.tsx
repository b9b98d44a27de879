import { rounded } from '../charts/words.ts';
import type { TaskModelAnswer } from './response-types.ts';
import { WarningList } from './warning-list.tsx';

/** Effects of resampling and channel matching on the trials. */
export function SignalReport({ signal, channels }: Pick<TaskModelAnswer, 'signal' | 'channels'>) {
  const renamed = Object.entries(signal.renamed_channels);
  return (
    <section>
      <h3>Signal</h3>
      <p>
        {signal.trials > 0 && `${signal.trials} trials of `}
        {rounded(signal.seconds_per_trial, 3)} s, {signal.channels} channels in {signal.units}, sent at{' '}
        {signal.sampling_rate_hz} Hz and read at {signal.resampled_to_hz} Hz.
        {renamed.length > 0 && ` Read as another name: ${renamed.map(([from, to]) => `${from} as ${to}`).join(', ')}.`}
      </p>
      <WarningList warnings={signal.warnings} />
      <details>
        <summary>The {channels.length} channels of the model</summary>
        <p>
          <code>{channels.join(' ')}</code>
        </p>
      </details>
    </section>
  );
}
