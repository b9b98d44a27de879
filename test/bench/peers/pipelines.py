"""MOABB-style pipelines by task kind: id → (input, estimator). Inputs are label-free and shared; all else is fitted per fold."""

import re

from lightgbm import LGBMClassifier
from pyriemann.classification import MDM, FgMDM
from pyriemann.estimation import ERPCovariances, XdawnCovariances
from pyriemann.spatialfilters import CSP, Xdawn
from pyriemann.tangentspace import TangentSpace
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from estimators import Augmented, CcaArgmax, CcaFeatures, FilterBankCca, Trca, bank_csp, bank_tangent


def lr(c=1.0):
    return LogisticRegression(C=c, class_weight="balanced", max_iter=1000)


def svm(**options):
    return SVC(class_weight="balanced", **options)


def elastic_net():
    base = LogisticRegression(l1_ratio=0.15, solver="saga", C=1.0, intercept_scaling=1000.0, class_weight="balanced", max_iter=1000)
    return GridSearchCV(base, {"l1_ratio": [0.2, 0.45, 0.75]}, cv=3, scoring="balanced_accuracy")


def svm_grid():
    return GridSearchCV(svm(kernel="linear"), {"C": [0.1, 1, 10]}, cv=3, scoring="balanced_accuracy")


def acm(channels):
    pipeline = make_pipeline(Augmented(), TangentSpace(), svm(kernel="linear"))
    orders = [2] if channels > 32 else [2, 3]
    return GridSearchCV(pipeline, {"augmented__order": orders, "augmented__lag": [4, 8]}, cv=3, scoring="balanced_accuracy")


def flat():
    return FunctionTransformer(lambda x: x.reshape(len(x), -1))


def xdawn_covariances():
    return XdawnCovariances(nfilter=4, estimator="oas", xdawn_estimator="oas")


def shrinkage_lda(classes):
    return LDA(solver="lsqr", shrinkage="auto", priors=[1 / classes] * classes)


GENERAL = {
    "TS(8-32)+LR": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), lr())),
    "TS(1-40)+LR": ("cov/1-40", lambda _: make_pipeline(TangentSpace(), lr())),
    "FBTS+LR": ("fbcov", lambda _: make_pipeline(bank_tangent(), lr())),
    "logspectrum+LR": ("logspectrum", lambda _: make_pipeline(StandardScaler(), lr())),
    "logpower+LR": ("logpower", lambda _: make_pipeline(StandardScaler(), lr())),
}
MOTOR = {
    "TS+ElasticNet": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), elastic_net())),
    "TS+SVM": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), svm_grid())),
    "MDM": ("cov/8-32", lambda _: MDM()),
    "FgMDM": ("cov/8-32", lambda _: FgMDM()),
    "CSP+LDA": ("cov/8-32", lambda _: make_pipeline(CSP(nfilter=6, metric="euclid", log=True), LDA())),
    "FBCSP+SVM": ("fbcov", lambda _: make_pipeline(bank_csp(), SelectKBest(mutual_info, k=10), StandardScaler(), svm(kernel="linear"))),
    "ACM+TS+SVM": ("sig/8-32", lambda shape: acm(shape["channels"])),
}
ERP = {
    "XdawnCov+TS+LR": ("erp/signal", lambda _: make_pipeline(xdawn_covariances(), TangentSpace(), lr())),
    "XdawnCov+TS+SVM": ("erp/signal", lambda _: make_pipeline(xdawn_covariances(), TangentSpace(), svm(kernel="linear"))),
    "XdawnCov+MDM": ("erp/signal", lambda _: make_pipeline(xdawn_covariances(), MDM())),
    "ERPCov+MDM": ("erp/signal", lambda _: make_pipeline(ERPCovariances(estimator="oas"), MDM())),
    "xDAWN+LDA": ("erp/signal", lambda shape: make_pipeline(Xdawn(nfilter=4, estimator="oas"), thinned(), flat(), shrinkage_lda(shape["classes"]))),
    "ERPCov+TS+LR(tuned)": ("erp/signal", lambda _: erp_covariances(lr(), {"logisticregression__C": [0.01, 0.1, 1, 10]})),
    "ERPCov+TS+SVM(tuned)": ("erp/signal", lambda _: erp_covariances(svm(kernel="linear"), {"svc__C": [0.1, 1, 10]})),
    "xDAWN(tuned)+LDA": ("erp/signal", lambda shape: tuned_xdawn(shape)),
    "windowed means+LDA": ("erp/windows", lambda shape: shrinkage_lda(shape["classes"])),
}
SSVEP = {
    "SSVEP TS+LR": ("ssvep", lambda _: make_pipeline(TangentSpace(), lr())),
    "SSVEP TS+SVM": ("ssvep", lambda _: make_pipeline(TangentSpace(), svm(kernel="linear"))),
    "SSVEP MDM": ("ssvep", lambda _: MDM()),
    "CCA": ("raw/1-45", lambda shape: CcaArgmax(shape["frequencies"], shape["frequency_labels"])),
    "CCA+LDA": ("raw/1-45", lambda shape: make_pipeline(CcaFeatures(shape["frequencies"]), shrinkage_lda(shape["classes"]))),
}
SSVEP |= {
    "FBCCA": ("harmonics", lambda shape: tuned_bands(FilterBankCca(shape["frequencies"], shape["frequency_labels"]))),
    "TRCA": ("harmonics", lambda _: tuned_bands(Trca(ensemble=False))),
    "eTRCA": ("harmonics", lambda _: tuned_bands(Trca())),
}
SLEEP = {
    "YASA-like+LightGBM": ("sleep", lambda _: LGBMClassifier(n_estimators=200, num_leaves=20, colsample_bytree=0.7, class_weight="balanced", min_child_samples=5, n_jobs=1, verbose=-1)),
}
BY_KIND = {
    "motor": GENERAL | MOTOR,
    "erp": GENERAL | ERP,
    "ssvep": GENERAL | MOTOR | SSVEP,
    "rest": GENERAL | MOTOR | SLEEP,
    "sleep": GENERAL | SLEEP,
}


def tuned(pipeline, grid):
    return GridSearchCV(pipeline, grid, cv=3, scoring="balanced_accuracy")


def tuned_bands(estimator):
    """As many sub-bands as the training trials want: the authors choose them on training data."""
    return tuned(estimator, {"bands": [1, 3, 5]})


def erp_covariances(classifier, grid):
    return tuned(make_pipeline(ERPCovariances(estimator="oas"), TangentSpace(), classifier), grid)


def tuned_xdawn(shape):
    filters = sorted({min(n, shape["channels"]) for n in (1, 2, 4, 6)})
    pipeline = make_pipeline(Xdawn(estimator="oas"), thinned(), flat(), shrinkage_lda(shape["classes"]))
    return tuned(pipeline, {"xdawn__nfilter": filters})


def thinned(every=4):
    return FunctionTransformer(lambda x: x[..., ::every])


def mutual_info(x, y):
    return mutual_info_classif(x, y, random_state=0)


def shape_of(x, labels):
    """What the table above may look at, and the frequencies that labels read as."""
    pairs = [(float(m.group(1)), label) for label in sorted(set(labels)) if (m := re.match(r"^(\d+(?:\.\d+)?) ?hz$", label, re.I))]
    return {
        "channels": x.shape[1],
        "classes": len(set(labels)),
        "frequencies": [f for f, _ in pairs],
        "frequency_labels": [label for _, label in pairs],
    }
