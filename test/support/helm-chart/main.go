// Lints and renders a chart with Helm's own packages, as `helm lint --strict` and `helm template --set` do. The program of
// Helm takes twice as long to build: its other commands bring clients of registries and clusters.
package main

import (
	"fmt"
	"os"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"helm.sh/helm/v3/pkg/releaseutil"
	"helm.sh/helm/v3/pkg/strvals"
)

func lintChart(folder string, values map[string]interface{}, kubernetes *chartutil.KubeVersion) error {
	for _, message := range lint.AllWithKubeVersion(folder, values, "default", kubernetes).Messages {
		if message.Severity >= support.WarningSev {
			return message
		}
	}
	return nil
}

func render(folder string, values map[string]interface{}, kubernetes *chartutil.KubeVersion) error {
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	if err := chartutil.ProcessDependenciesWithMerge(chart, values); err != nil {
		return err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *kubernetes
	release := chartutil.ReleaseOptions{Name: "eeg", Namespace: "default", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, capabilities)
	if err != nil {
		return err
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return err
	}
	delete(files, chart.Name()+"/templates/NOTES.txt")
	hooks, manifests, err := releaseutil.SortManifests(files, capabilities.APIVersions, releaseutil.InstallOrder)
	for _, manifest := range manifests {
		fmt.Printf("---\n# Source: %s\n%s\n", manifest.Name, manifest.Content)
	}
	for _, hook := range hooks {
		fmt.Printf("---\n# Source: %s\n%s\n", hook.Path, hook.Manifest)
	}
	return err
}

// Arguments: lint or template, the chart's folder, the version of Kubernetes, and values as --set takes them.
func run(command, folder, version string, set []string) error {
	kubernetes, err := chartutil.ParseKubeVersion(version)
	if err != nil {
		return err
	}
	values := map[string]interface{}{}
	for _, value := range set {
		if err := strvals.ParseInto(value, values); err != nil {
			return err
		}
	}
	if command == "lint" {
		return lintChart(folder, values, kubernetes)
	}
	return render(folder, values, kubernetes)
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
