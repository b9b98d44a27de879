import type { TaskModelAnswer } from './types.ts';

type Model = Pick<TaskModelAnswer, 'id' | 'channels' | 'signal'>;

const samplesOf = ({ signal }: Model): number => signal.samples_per_trial;

/** How a program asks this model, by language; the key comes from the environment. */
export const snippets: readonly {
  readonly language: string;
  readonly write: (model: Model, origin: string) => string;
}[] = [
  {
    language: 'curl',
    write: (model, origin) => {
      const { id, channels, signal } = model;
      return `# trials.json: {"x": [trials × ${channels.length} channels × ${samplesOf(model)} samples],
#  "sampling_rate_hz": ${signal.sampling_rate_hz}, "units": "uV",
#  "channels": ${JSON.stringify(channels)}}
curl ${origin}/v1/task-models/${id}/predictions \\
  -H "Authorization: Bearer $EEG_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  --data @trials.json`;
    },
  },
  {
    language: 'Python',
    write: (model, origin) => {
      const { id, channels, signal } = model;
      return `import os, uuid, json, urllib.request

# x: trials × ${channels.length} channels × ${samplesOf(model)} samples, in microvolts
body = {
    "x": x.tolist(),
    "sampling_rate_hz": ${signal.sampling_rate_hz},
    "units": "uV",
    "channels": ${JSON.stringify(channels)},
}
request = urllib.request.Request(
    "${origin}/v1/task-models/${id}/predictions",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['EEG_API_KEY']}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
with urllib.request.urlopen(request) as answer:
    for trial in json.load(answer)["data"]:
        print(trial["label"], trial["probabilities"])`;
    },
  },
  {
    language: 'TypeScript',
    write: (model, origin) => {
      const { id, channels, signal } = model;
      return `// x: trials × ${channels.length} channels × ${samplesOf(model)} samples, in microvolts
const answer = await fetch("${origin}/v1/task-models/${id}/predictions", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.EEG_API_KEY}\`,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  },
  body: JSON.stringify({
    x,
    sampling_rate_hz: ${signal.sampling_rate_hz},
    units: "uV",
    channels: ${JSON.stringify(channels)},
  }),
});
for (const { label, probabilities } of (await answer.json()).data) console.log(label, probabilities);`;
    },
  },
];
