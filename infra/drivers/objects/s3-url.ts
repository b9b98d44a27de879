/** Address and options of a store on S3. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of all keys: empty, or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** null: the endpoint of AWS. */
  readonly endpoint: string | null;
  /** Whether the bucket is part of the path, not of the host. */
  readonly pathStyle: boolean;
  /** Checksums in addition to the encryption of each object; `when_required`: only if S3 requires them. */
  readonly checksums: Checksums;
  /** Additional server-side encryption; null: the bucket's default. */
  readonly encryption: { readonly by: 'AES256' | 'aws:kms'; readonly keyId: string | null } | null;
}

type Checksums = 'crc32' | 'sha256' | 'when_required';

const s3Example = 's3://bucket/prefix?region=eu-central-1';

interface Parameter {
  readonly pattern: RegExp;
  /** Ends the sentence "… must be". */
  readonly words: string;
}

const parameters: Readonly<Record<string, Parameter>> = {
  region: {
    pattern: /^[a-z0-9][a-z0-9-]*$/,
    words: "the bucket's region, such as eu-central-1; for a server without regions us-east-1",
  },
  endpoint: {
    pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/,
    words: 'the address of a server other than AWS, such as https://s3.example.org, without user, query or fragment',
  },
  path_style: { pattern: /^(true|false)$/, words: 'true or false (usual: true with an endpoint, false without)' },
  checksums: { pattern: /^(crc32|sha256|when_required)$/, words: 'crc32 (the usual), sha256 or when_required' },
  sse: { pattern: /^(AES256|aws:kms)$/, words: 'AES256 or aws:kms' },
  sse_key: { pattern: /^[A-Za-z0-9:/_-]+$/, words: 'the id or ARN of a key of AWS KMS' },
};

/** Problem of an `s3:` URL, as the end of a sentence that begins with its variable; null: it is valid. */
export function s3UrlFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return `must be a URL such as ${s3Example}.`;
  if (url.username || url.password)
    return 'must hold no credentials: the AWS SDK finds them by itself (AWS_ACCESS_KEY_ID, a profile, a role).';
  if (url.hash) return `must have no fragment (#…): it is a URL such as ${s3Example}.`;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host))
    return `must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens, such as ${s3Example}.`;
  if (!/^(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*\/?$/.test(url.pathname))
    return 'may have a prefix of letters, digits, ".", "_" and "-", with single slashes between them.';
  return queryFault(url.searchParams);
}

function queryFault(query: URLSearchParams): string | null {
  for (const [name, value] of query) {
    const known = Object.hasOwn(parameters, name) ? parameters[name] : null;
    if (!known) return `has the parameter "${name}"; there are ${Object.keys(parameters).join(', ')}.`;
    if (query.getAll(name).length > 1) return `has the parameter ${name} twice.`;
    if (!known.pattern.test(value)) return `has the parameter ${name}, which must be ${known.words}.`;
  }
  if (!query.has('region')) return `lacks its region=…: ${parameters['region']!.words} (${s3Example}).`;
  if (query.has('sse_key') && query.get('sse') !== 'aws:kms')
    return 'has the parameter sse_key, which needs sse=aws:kms.';
  return null;
}

/** Parses an `s3:` URL; throws if `s3UrlFault` finds a problem. */
export function parseS3Url(text: string): S3Location {
  const fault = s3UrlFault(text);
  if (fault !== null) throw new Error(`The URL of the store ${fault}`);
  const { host, pathname, searchParams: query } = new URL(text);
  const prefix = pathname.replaceAll(/^\/|\/$/g, '');
  const endpoint = query.get('endpoint');
  const by = query.get('sse');
  return {
    bucket: host,
    prefix: prefix && `${prefix}/`,
    region: query.get('region')!,
    endpoint,
    pathStyle: (query.get('path_style') ?? String(endpoint !== null)) === 'true',
    checksums: (query.get('checksums') ?? 'crc32') as Checksums,
    encryption: by === null ? null : { by: by as 'AES256' | 'aws:kms', keyId: query.get('sse_key') },
  };
}
