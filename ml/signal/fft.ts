/** A discrete Fourier transform of fixed length, in place: re and im [length]. */
export type Fft = (re: Float64Array, im: Float64Array) => void;

/** Transform of any length: radix 2 for powers of two, else through a convolution (Bluestein 1970). */
export function createFft(length: number): Fft {
  return (length & (length - 1)) === 0 ? radix2(length) : bluestein(length);
}

function radix2(length: number): Fft {
  const cos = Float64Array.from({ length: length / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / length));
  const sin = Float64Array.from({ length: length / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / length));
  const order = new Int32Array(length);
  for (let i = 1, bits = Math.log2(length); i < length; i++) order[i] = (order[i >> 1] >> 1) | ((i & 1) << (bits - 1));
  return (re, im) => {
    for (let i = 0; i < length; i++) {
      const j = order[i];
      if (j > i) {
        const r = re[i];
        const m = im[i];
        re[i] = re[j];
        im[i] = im[j];
        re[j] = r;
        im[j] = m;
      }
    }
    for (let half = 1; half < length; half *= 2) {
      const stride = length / (2 * half);
      for (let start = 0; start < length; start += 2 * half) {
        for (let k = 0, w = 0; k < half; k++, w += stride) {
          const a = start + k;
          const b = a + half;
          const r = re[b] * cos[w] - im[b] * sin[w];
          const i = re[b] * sin[w] + im[b] * cos[w];
          re[b] = re[a] - r;
          im[b] = im[a] - i;
          re[a] += r;
          im[a] += i;
        }
      }
    }
  };
}

function bluestein(length: number): Fft {
  const size = 2 ** Math.ceil(Math.log2(2 * length - 1));
  const fft = radix2(size);
  const cos = new Float64Array(length);
  const sin = new Float64Array(length);
  const chirpRe = new Float64Array(size);
  const chirpIm = new Float64Array(size);
  for (let i = 0; i < length; i++) {
    const angle = (Math.PI * ((i * i) % (2 * length))) / length;
    cos[i] = Math.cos(angle);
    sin[i] = Math.sin(angle);
    chirpRe[i] = chirpRe[(size - i) % size] = cos[i];
    chirpIm[i] = chirpIm[(size - i) % size] = sin[i];
  }
  fft(chirpRe, chirpIm);
  const workRe = new Float64Array(size);
  const workIm = new Float64Array(size);
  return (re, im) => {
    workRe.fill(0);
    workIm.fill(0);
    for (let i = 0; i < length; i++) {
      workRe[i] = re[i] * cos[i] + im[i] * sin[i];
      workIm[i] = im[i] * cos[i] - re[i] * sin[i];
    }
    fft(workRe, workIm);
    for (let i = 0; i < size; i++) {
      const r = workRe[i] * chirpRe[i] - workIm[i] * chirpIm[i];
      workIm[i] = -(workRe[i] * chirpIm[i] + workIm[i] * chirpRe[i]);
      workRe[i] = r;
    }
    fft(workRe, workIm);
    for (let i = 0; i < length; i++) {
      const r = workRe[i] / size;
      const m = -workIm[i] / size;
      re[i] = r * cos[i] + m * sin[i];
      im[i] = m * cos[i] - r * sin[i];
    }
  };
}
