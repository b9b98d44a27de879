/** Our methods and the peer pipeline that is the same method; `same`: the same algorithm, so that scores on the same folds agree within 0.01. */
export interface Twin {
  readonly peer: string;
  readonly same: boolean;
}

const same = (peer: string): Twin => ({ peer, same: true });
const alike = (peer: string): Twin => ({ peer, same: false });

export const twins: Readonly<Record<string, Twin>> = {
  'tangent-logistic': same('TS(8-32)+LR'),
  'tangent-ridge': alike('TS+ridge'),
  'tangent-elastic-net': same('TS+EN(.7)'),
  'tangent-svm': same('TS+SVM(1)'),
  'tangent-wide-logistic': same('TS(4-40)+LR'),
  fgmdm: alike('FgMDM'),
  mdm: same('MDM'),
  'csp-lda': same('CSP+LDA'),
  'filter-bank-csp': alike('FBCSP+LDA'),
  'filter-bank-tangent': same('FBTS+LR'),
  'filter-bank-ridge': alike('FBTS+ridge'),
  'augmented-tangent-logistic': same('ACM+TS+LR'),
  'augmented-tangent-svm': same('ACM+TS+SVM(1)'),
  'log-power-logistic': alike('logpower+LR'),
  'log-power-ridge': alike('logpower+ridge'),
  'log-spectrum-logistic': alike('logspectrum+LR(.01)'),
  'log-spectrum-ridge': alike('logspectrum+ridge'),
  'windowed-means-lda': alike('windowed means+LDA'),
  'windowed-means-ridge': alike('windowed means+ridge'),
  'xdawn-tangent-logistic': alike('XdawnCov+TS+LR'),
  'xdawn-tangent-ridge': alike('XdawnCov+TS+ridge'),
  'erp-tangent-logistic': alike('ERPCov+TS+LR'),
  'cca-lda': alike('CCA+LDA'),
  'ssvep-mdm': same('SSVEP MDM'),
  'ssvep-tangent-logistic': same('SSVEP TS+LR'),
  'ssvep-tangent-ridge': alike('SSVEP TS+ridge'),
};
