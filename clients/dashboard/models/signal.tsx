import { rounded } from '../charts/words.ts';
import type { TaskModelAnswer } from './response-types.ts';
import { Points } from './points.tsx';
import { unitWords } from '../ui/values.tsx';
import { warningWords } from './warning-words.ts';

/** Effects of resampling and channel matching on the trials. Warnings that the report has are not repeated. */
export function SignalReport({
  model: { signal, channels, training_report: report },
}: {
  readonly model: Pick<TaskModelAnswer, 'signal' | 'channels' | 'training_report'>;
}) {
  const own = signal.warnings.filter((warning) => !report?.warnings.includes(warning));
  const renamed = Object.entries(signal.renamed_channels);
  return (
    <section class="signal">
      <h3>Signal</h3>
      <p>
        {signal.trials > 0 && `${signal.trials} trials of `}
        {rounded(signal.seconds_per_trial, 3)} s, {signal.channels} channels in {unitWords(signal.units)}, recorded at{' '}
        {signal.sampling_rate_hz} Hz
        {signal.resampled_to_hz !== signal.sampling_rate_hz && `, resampled to ${signal.resampled_to_hz} Hz`}.
        {renamed.length > 0 && ` Read as another name: ${renamed.map(([from, to]) => `${from} as ${to}`).join(', ')}.`}
      </p>
      <Points points={own.map(warningWords)} />
      <details>
        <summary>The {channels.length} channels of the model</summary>
        <p>
          <code>{channels.join(' ')}</code>
        </p>
      </details>
    </section>
  );
}
