/** Bytes of a file of safetensors with these tensors. */
export function safetensorsOf(
  tensors: Readonly<Record<string, { dims: readonly number[]; data: Float32Array }>>,
): Uint8Array {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dims, data }]) => {
      const from = end;
      end += data.byteLength;
      return [name, { dtype: 'F32', shape: dims, data_offsets: [from, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ data }) => Buffer.from(data.buffer))]);
}
