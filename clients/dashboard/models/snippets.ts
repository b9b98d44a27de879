import type { TaskModelAnswer } from './response-types.ts';

type Model = Pick<TaskModelAnswer, 'id' | 'channels' | 'signal'>;

/** Code examples that use this model, by language. The key comes from the environment. */
export const snippets: readonly {
  readonly language: string;
  readonly write: (model: Model, origin: string) => string;
}[] = [
  {
    language: 'curl',
    write: (
      { id, channels, signal },
      origin,
    ) => `# trials.json: {"x": [trials × ${channels.length} channels × ${signal.samples_per_trial} samples],
#  "sampling_rate_hz": ${signal.sampling_rate_hz}, "units": "uV",
#  "channels": ${JSON.stringify(channels)}}
curl ${origin}/v1/task-models/${id}/predictions \\
  -H "Authorization: Bearer $EEG_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  --data @trials.json`,
  },
  {
    language: 'Python',
    write: ({ id, channels, signal }, origin) => `# pip install --find-links ${origin}/clients/ eeg-task-classifier
# The key is in EEG_API_KEY.
from eeg_task_classifier import load_model

clf = load_model("${id}", base_url="${origin}")
# MNE Epochs, whose channels are found by name; or an array of
# trials × ${channels.length} channels × ${signal.samples_per_trial} samples in ${signal.units}, with the channels
# ${channels.join(' ')}
print(clf.predict(epochs))
print(clf.predict_proba(epochs))`,
  },
  {
    language: 'TypeScript',
    write: ({ id, channels, signal }, origin) => `// npm install ${origin}/clients/eeg-task-classifier-client-0.1.0.tgz
// The key is in EEG_API_KEY.
import { EegTaskClassifier } from 'eeg-task-classifier-client';

const eeg = new EegTaskClassifier({ baseUrl: '${origin}' });
const { data } = await eeg.predict('${id}', {
  x, // trials × ${channels.length} channels × ${signal.samples_per_trial} samples
  sampling_rate_hz: ${signal.sampling_rate_hz},
  units: 'uV',
  channels: ${JSON.stringify(channels)},
});
for (const { label, probabilities } of data) console.log(label, probabilities);`,
  },
];
