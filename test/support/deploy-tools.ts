import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { fetchedTool, fromPyPI, runTool, warnMissing } from './fetched-tool.ts';

/** Tools that read and check the deploy files. Each is null, with a warning, if it is not available. */
export interface DeployTools {
  /** The model of a compose file as the Compose specification's own loader has it; throws what it refuses. */
  readonly compose: ((file: string, environment: Record<string, string>) => Promise<ComposeModel>) | null;
  /** Helm's own packages: `lint` or `template`, the chart's folder, the version of Kubernetes, values as `--set` has them. */
  readonly helm: ((...args: string[]) => Promise<string>) | null;
  /** A Python with `kubernetes_validate`, `dockerfile_parse` and `yaml`. */
  readonly python: string | null;
}

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required: boolean }>>;
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly volumes?: readonly {
    readonly type: string;
    readonly source: string;
    readonly target: string;
    readonly read_only?: boolean;
  }[];
  readonly expose?: readonly string[];
  readonly ports?: readonly { readonly host_ip?: string; readonly target: number; readonly published: string }[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export interface ComposeModel {
  readonly services: Readonly<Record<string, ComposeService>>;
}

const versions = { compose: 'v2.16.2', helm: 'v3.22.0', kubernetes: '1.37.0', dockerfile: '2.0.1' };
const buildSeconds = 900;

/**
 * Builds the program in a folder beside this file around a Go library, and puts it into `folder` under the same name.
 * Without optimization, which takes longer than the programs run.
 */
async function buildAround(library: string, name: string, folder: string): Promise<void> {
  await copyFile(fileURLToPath(new URL(`./${name}/main.go`, import.meta.url)), join(folder, 'main.go'));
  const go = (...args: string[]) =>
    runTool('go', args, { cwd: folder, env: { GOFLAGS: '-mod=mod' }, seconds: buildSeconds });
  await go('mod', 'init', name);
  await go('get', library);
  await go('build', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', name, '.');
}

async function fetched(name: string, what: string, install: (folder: string) => Promise<void>): Promise<string | null> {
  const found = await fetchedTool(name, install);
  if ('folder' in found) return found.folder;
  warnMissing(what, found.missing);
  return null;
}

/** Finds the tools in the per-user cache, or puts them there: Go builds two, one after the other. */
export async function deployTools(): Promise<DeployTools> {
  const pythonName = `deploy-python-${versions.kubernetes}-${versions.dockerfile}`;
  const packages = [`kubernetes-validate==${versions.kubernetes}`, `dockerfile-parse==${versions.dockerfile}`];
  const python = await fetched(pythonName, 'Kubernetes schemas', fromPyPI(...packages));
  const compose = await fetched(`compose-model-${versions.compose}`, 'the loader of compose files', (folder) =>
    buildAround(`github.com/compose-spec/compose-go/v2@${versions.compose}`, 'compose-model', folder),
  );
  const helm = await fetched(`helm-chart-${versions.helm}`, 'Helm', (folder) =>
    buildAround(`helm.sh/helm/v3@${versions.helm}`, 'helm-chart', folder),
  );
  return {
    python: python === null ? null : join(python, 'bin', 'python'),
    compose: compose === null ? null : (file, environment) => readCompose(compose, file, environment),
    helm: helm === null ? null : (...args) => runTool(join(helm, 'helm-chart'), args),
  };
}

async function readCompose(folder: string, file: string, env: Record<string, string>): Promise<ComposeModel> {
  const program = join(folder, 'compose-model');
  const { stdout } = await promisify(execFile)(program, [file], { env, maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as ComposeModel;
}

/** Documents of a YAML text. */
export async function readYaml<T>(python: string, text: string): Promise<T[]> {
  const script = 'import json, sys, yaml; json.dump([d for d in yaml.safe_load_all(sys.argv[1]) if d], sys.stdout)';
  return JSON.parse(await runTool(python, ['-c', script, text])) as T[];
}
