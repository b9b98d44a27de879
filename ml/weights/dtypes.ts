/** Layout of one number in a file, little-endian. */
export interface Dtype {
  readonly name: string;
  readonly bytes: number;
  /** Reads the number at a byte, not yet rounded to float32. Absent for types that are not supported. */
  readonly read?: (view: DataView, at: number) => number;
}

const scratch = new DataView(new ArrayBuffer(4));

/** IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** bfloat16: the upper half of a float32. */
function brainHalf(bits: number): number {
  scratch.setUint32(0, bits * 65_536);
  return scratch.getFloat32(0);
}

const dtypes: Record<string, Omit<Dtype, 'name'>> = {
  float32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  float16: { bytes: 2, read: (view, at) => half(view.getUint16(at, true)) },
  bfloat16: { bytes: 2, read: (view, at) => brainHalf(view.getUint16(at, true)) },
  int64: { bytes: 8, read: (view, at) => view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  bool: { bytes: 1, read: (view, at) => (view.getUint8(at) ? 1 : 0) },
  int16: { bytes: 2 },
  int8: { bytes: 1 },
  uint16: { bytes: 2 },
  uint32: { bytes: 4 },
  uint64: { bytes: 8 },
  float8_e4m3fn: { bytes: 1 },
  float8_e5m2: { bytes: 1 },
  complex64: { bytes: 8 },
  complex128: { bytes: 16 },
  quint8: { bytes: 1 },
  qint8: { bytes: 1 },
  qint32: { bytes: 4 },
};

/** Types by the names of torch's storage classes, `torch.FloatStorage`. */
const ofTorch: Record<string, string> = {
  Float: 'float32',
  Double: 'float64',
  Half: 'float16',
  BFloat16: 'bfloat16',
  Long: 'int64',
  Int: 'int32',
  Byte: 'uint8',
  Bool: 'bool',
  Short: 'int16',
  Char: 'int8',
  ComplexFloat: 'complex64',
  ComplexDouble: 'complex128',
  QUInt8: 'quint8',
  QInt8: 'qint8',
  QInt32: 'qint32',
};

/** Types by their names in a safetensors header. */
const ofSafetensors: Record<string, string> = {
  F32: 'float32',
  F64: 'float64',
  F16: 'float16',
  BF16: 'bfloat16',
  I64: 'int64',
  I32: 'int32',
  U8: 'uint8',
  BOOL: 'bool',
  I16: 'int16',
  I8: 'int8',
  U16: 'uint16',
  U32: 'uint32',
  U64: 'uint64',
  F8_E4M3: 'float8_e4m3fn',
  F8_E5M2: 'float8_e5m2',
  C64: 'complex64',
};

const named = (names: Record<string, string>): ReadonlyMap<string, Dtype> =>
  new Map(Object.entries(names).map(([key, name]) => [key, { name, ...dtypes[name] }]));

export const safetensorsDtypes = named(ofSafetensors);
const torchDtypes = named(ofTorch);

/** Number type of a storage class, `torch.FloatStorage` or `torch.cuda.FloatStorage`; undefined if unknown. */
export const storageDtype = (name: string): Dtype | undefined =>
  torchDtypes.get(/^torch\.(?:cuda\.|storage\.)?(\w+)Storage$/.exec(name)?.[1] ?? '');
