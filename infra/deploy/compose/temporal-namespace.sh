#!/bin/sh
# The namespace of the service. What ended is kept for a month: a history shows what a hosting month did.
set -eu
temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$NAMESPACE" --retention 30d
