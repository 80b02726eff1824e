// Runs trino-go-client against the server of the environment (DOOR_URL, DOOR_USER, ...). Prints a line of JSON for each check:
// {"check": name, "ok": true, "value": ...}.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/trinodb/trino-go-client/trino"
)

const (
	slow = "SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c"
	long = "SELECT a.n FROM numbers a CROSS JOIN numbers b"
)

var catalog, schema, user = os.Getenv("DOOR_CATALOG"), os.Getenv("DOOR_SCHEMA"), os.Getenv("DOOR_USER")

func check(name string, work func() (any, error)) {
	value, err := work()
	line := map[string]any{"check": name, "ok": err == nil, "value": value}
	if err != nil {
		line["value"] = failureOf(err)
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// failureOf returns what identifies an error on every server: its type, and the first words of Trino's, which are its name.
func failureOf(err error) any {
	var failed *trino.ErrTrino
	if errors.As(err, &failed) {
		return []any{"ErrTrino", failed.ErrorName, failed.ErrorType, failed.ErrorLocation.LineNumber, failed.ErrorLocation.ColumnNumber}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "deadline exceeded"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, trino.ErrQueryCancelled) {
		return "canceled"
	}
	return fmt.Sprintf("%T: %s", err, strings.Split(err.Error(), "\n")[0])
}

// fails returns how work fails, and an error if it does not.
func fails(work func() (any, error)) (any, error) {
	value, err := work()
	if err == nil {
		return nil, fmt.Errorf("no error, but %v", value)
	}
	return failureOf(err), nil
}

func open(more url.Values) *sql.DB {
	address, err := url.Parse(os.Getenv("DOOR_URL"))
	if err != nil {
		panic(err)
	}
	address.User = url.User(user)
	if password := os.Getenv("DOOR_PASSWORD"); password != "" {
		address.User = url.UserPassword(user, password)
	}
	query := url.Values{"catalog": {catalog}, "schema": {schema}, "source": {"door-clients"}}
	if os.Getenv("DOOR_CA") != "" {
		query.Set("custom_client", "door")
	}
	for name, values := range more {
		query[name] = values
	}
	address.RawQuery = query.Encode()
	db, err := sql.Open("trino", address.String())
	if err != nil {
		panic(err)
	}
	return db
}

// trust registers a client that knows the authority of the server.
func trust(path string) {
	if path == "" {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(text)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}}
	if err := trino.RegisterCustomClient("door", &http.Client{Transport: transport}); err != nil {
		panic(err)
	}
}

// describe returns the Go type and the text of a value.
func describe(value any) string {
	if at, isTime := value.(time.Time); isTime {
		return "time " + at.Format(time.RFC3339Nano) + " " + at.Location().String()
	}
	return fmt.Sprintf("%T %v", value, value)
}

func rows(db *sql.DB, query string, arguments ...any) (any, error) {
	return rowsOf(db.Query(query, arguments...))
}

func rowsOf(found *sql.Rows, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer found.Close()
	columns, err := found.ColumnTypes()
	if err != nil {
		return nil, err
	}
	all := [][]string{}
	for found.Next() {
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for index := range values {
			pointers[index] = &values[index]
		}
		if err := found.Scan(pointers...); err != nil {
			return nil, err
		}
		row := []string{}
		for _, value := range values {
			row = append(row, describe(value))
		}
		all = append(all, row)
	}
	return all, found.Err()
}

// facts returns the columns of a result.
func facts(db *sql.DB, query string) (any, error) {
	found, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	columns, err := found.ColumnTypes()
	if err != nil {
		return nil, err
	}
	all := []any{}
	for _, column := range columns {
		length, hasLength := column.Length()
		precision, scale, hasScale := column.DecimalSize()
		all = append(all, []any{column.Name(), column.DatabaseTypeName(), fmt.Sprint(column.ScanType()), length, hasLength, precision, scale, hasScale})
	}
	return all, nil
}

func main() {
	trust(os.Getenv("DOOR_CA"))
	if len(os.Args) > 1 && os.Args[1] == "read" {
		readOrExit()
		return
	}
	db := open(nil)
	defer db.Close()
	checkTypes(db)
	for _, explicit := range []string{"true", "false"} {
		checkParameters(open(url.Values{"explicitPrepare": {explicit}}), "explicitPrepare="+explicit)
	}
	checkErrors(db)
	checkResults(db)
	checkStops(db)
	checkSessions(db)
}
