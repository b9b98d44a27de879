"""Pipelines that are the same methods as the service's candidates, for speed and for agreement on the same folds."""

import numpy as np
from pyriemann.estimation import ERPCovariances
from pyriemann.tangentspace import TangentSpace
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from estimators import bank_csp, bank_tangent
from pipelines import BY_KIND, SSVEP, lr, mutual_info, shrinkage_lda, svm, xdawn_covariances


def ridge():
    return RidgeClassifierCV(alphas=np.logspace(-2, 4, 9), class_weight="balanced")


def elastic_net():
    return LogisticRegression(l1_ratio=0.7, solver="saga", C=1.0, class_weight="balanced", max_iter=1000)


def erp_covariances():
    return ERPCovariances(estimator="oas")


TWINS = {
    "TS+ridge": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), ridge())),
    "TS+EN(.7)": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), elastic_net())),
    "TS+SVM(1)": ("cov/8-32", lambda _: make_pipeline(TangentSpace(), svm(kernel="linear"))),
    "TS(4-40)+LR": ("cov/4-40", lambda _: make_pipeline(TangentSpace(), lr())),
    "FBCSP+LDA": ("fbcov", lambda shape: make_pipeline(bank_csp(), SelectKBest(mutual_info, k=10), shrinkage_lda(shape["classes"]))),
    "FBTS+ridge": ("fbcov", lambda _: make_pipeline(bank_tangent(), ridge())),
    "ACM+TS+LR": ("acm", lambda _: make_pipeline(TangentSpace(), lr())),
    "ACM+TS+SVM(1)": ("acm", lambda _: make_pipeline(TangentSpace(), svm(kernel="linear"))),
    "logpower+ridge": ("logpower", lambda _: make_pipeline(StandardScaler(), ridge())),
    "logspectrum+LR(.01)": ("logspectrum", lambda _: make_pipeline(StandardScaler(), lr(0.01))),
    "logspectrum+ridge": ("logspectrum", lambda _: make_pipeline(StandardScaler(), ridge())),
    "XdawnCov+TS+ridge": ("erp/signal", lambda _: make_pipeline(xdawn_covariances(), TangentSpace(), ridge())),
    "ERPCov+TS+LR": ("erp/signal", lambda _: make_pipeline(erp_covariances(), TangentSpace(), lr())),
    "windowed means+ridge": ("erp/windows", lambda _: make_pipeline(StandardScaler(), ridge())),
    "SSVEP TS+ridge": ("ssvep", lambda _: make_pipeline(TangentSpace(), ridge())),
}


def pipelines_of(kind):
    """Everything that can be asked for by name."""
    every = {}
    for table in BY_KIND.values():
        every |= table
    return every | SSVEP | TWINS | BY_KIND.get(kind, {})
