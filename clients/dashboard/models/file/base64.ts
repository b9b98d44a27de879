const chunk = 0x60_00;

/** Numbers as base64 of little-endian float32, as `x` is sent. */
export function base64Of(values: Float32Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return text;
}
