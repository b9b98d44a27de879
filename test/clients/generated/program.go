// What a caller writes with the client that oapi-codegen makes: create and predict.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type answer struct {
	Score         float64   `json:"score"`
	Scored        int       `json:"scored"`
	Labels        []string  `json:"labels"`
	Probabilities []float64 `json:"probabilities"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var trials struct {
		X        []byte   `json:"x"`
		Shape    []int    `json:"shape"`
		Channels []string `json:"channels"`
		Labels   []string `json:"labels"`
	}
	must(json.Unmarshal([]byte(os.Getenv("EEG_TRIALS")), &trials))
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("EEG_API_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("EEG_BASE_URL"), WithRequestEditorFn(withKey))
	must(err)

	create := CreateRequest{
		Description:    "imagined movement: left hand or right hand",
		Shape:          &trials.Shape,
		SamplingRateHz: 100,
		Units:          CreateRequestUnitsUV,
		Channels:       trials.Channels,
		Labels:         trials.Labels,
	}
	must(create.X.FromCreateRequestX1(trials.X))
	var body CreateTaskModelJSONRequestBody
	must(body.FromCreateRequest(create))
	key := "generated Go"
	created, err := client.CreateTaskModelWithResponse(
		context.Background(), &CreateTaskModelParams{IdempotencyKey: &key}, body)
	must(err)
	if created.JSON201 == nil {
		panic(string(created.Body))
	}
	var report TrainingReport = *created.JSON201.TrainingReport
	scored := 0
	for _, method := range report.Methods {
		one, err := method.AsTrainingReportMethods0()
		must(err)
		if one.Status == "scored" && one.BalancedAccuracy >= 0 {
			scored++
		}
	}

	predict := PredictRequest{
		Shape:          &trials.Shape,
		SamplingRateHz: 100,
		Units:          PredictRequestUnitsUV,
		Channels:       trials.Channels,
	}
	must(predict.X.FromPredictRequestX1(trials.X))
	predicted, err := client.PredictWithResponse(
		context.Background(), created.JSON201.Id, &PredictParams{}, predict)
	must(err)
	if predicted.JSON200 == nil {
		panic(string(predicted.Body))
	}
	said := answer{Score: report.BalancedAccuracy, Scored: scored}
	for _, item := range predicted.JSON200.Data {
		said.Labels = append(said.Labels, item.Label)
		said.Probabilities = append(said.Probabilities, item.Probabilities[item.Label])
	}
	text, err := json.Marshal(said)
	must(err)
	fmt.Println(string(text))
}
