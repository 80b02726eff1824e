package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"github.com/trinodb/trino-go-client/trino"
)

// Names and expressions of types, in their order.
var types = [][2]string{
	{"boolean", "true"},
	{"tinyint", "CAST(-128 AS tinyint)"},
	{"smallint", "CAST(32767 AS smallint)"},
	{"integer", "CAST(-2147483648 AS integer)"},
	{"bigint", "CAST(9223372036854775807 AS bigint)"},
	{"real", "CAST(1.5 AS real)"},
	{"double", "CAST(0.1 AS double)"},
	{"not a number", "CAST('NaN' AS double)"},
	{"decimal(38,10)", "CAST('1234567890123456789012345678.0123456789' AS decimal(38,10))"},
	{"varchar", "CAST('text' AS varchar)"},
	{"char(5)", "CAST('ab' AS char(5))"},
	{"varbinary", "to_utf8('ab')"},
	{"date", "DATE '2026-03-29'"},
	{"time(6)", "TIME '12:34:56.789123'"},
	{"time with time zone", "TIME '12:34:56.789 +02:00'"},
	{"timestamp(3)", "TIMESTAMP '2026-03-29 12:30:00.123'"},
	{"timestamp(6)", "TIMESTAMP '2026-03-29 12:30:00.123456'"},
	{"timestamp with time zone", "TIMESTAMP '2026-03-29 12:30:00.123 Europe/Berlin'"},
	{"interval day to second", "INTERVAL '2' DAY"},
	{"interval year to month", "INTERVAL '14' MONTH"},
	{"uuid", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'"},
	{"json", "JSON '{\"a\": [1, null]}'"},
	{"array", "ARRAY[1, NULL, 3]"},
	{"map", "MAP(ARRAY['a'], ARRAY[1])"},
	{"row", "CAST(ROW(1, 'a') AS ROW(x integer, y varchar))"},
	{"null", "NULL"},
	{"null of a decimal", "CAST(NULL AS decimal(10,2))"},
}

func checkTypes(db *sql.DB) {
	for _, each := range types {
		sql := "SELECT " + each[1] + " AS v"
		check("type: "+each[0], func() (any, error) { return rows(db, sql) })
		check("facts of type: "+each[0], func() (any, error) { return facts(db, sql) })
	}
}

func checkParameters(db *sql.DB, how string) {
	defer db.Close()
	berlin := time.FixedZone("CET", 2*60*60)
	parameters := [][2]any{
		{"nil", nil},
		{"bool", true},
		{"int", -7},
		{"int64", int64(1) << 62},
		{"numeric", trino.Numeric("-1.50")},
		{"string", "it's ? -- /* \" é😀"},
		{"bytes", []byte{0, 255, 'a'}},
		{"date", trino.Date(2026, 3, 29)},
		{"time", trino.Time(12, 34, 56, 789000000)},
		{"timestamp", trino.Timestamp(2026, 3, 29, 12, 30, 0, 123000000)},
		{"time of a zone", time.Date(2026, 3, 29, 12, 30, 0, 123000000, berlin)},
		{"duration", 90 * time.Minute},
		{"slice", []int{1, 2}},
		{"slice of strings", []string{"a'b", "?"}},
	}
	for _, each := range parameters {
		check(fmt.Sprintf("parameter, %s: %s", how, each[0]), func() (any, error) { return rows(db, "SELECT ? AS v", each[1]) })
	}
	check("parameters, "+how+": in a condition", func() (any, error) {
		return rows(db, "SELECT n_name, '?' AS \"b?\" FROM nation WHERE n_regionkey = ? AND n_name > ? ORDER BY 1 -- ?", 3, "C")
	})
	check("parameters, "+how+": prepared once, run twice", func() (any, error) {
		statement, err := db.Prepare("SELECT n_name FROM nation WHERE n_nationkey = ?")
		if err != nil {
			return nil, err
		}
		defer statement.Close()
		first, err := rowsOf(statement.Query(1))
		if err != nil {
			return nil, err
		}
		second, err := rowsOf(statement.Query(2))
		return []any{first, second}, err
	})
	check("parameters, "+how+": too few", func() (any, error) {
		return fails(func() (any, error) { return rows(db, "SELECT ?, ?", 1) })
	})
}

func checkErrors(db *sql.DB) {
	for _, query := range []string{
		"SELECT FROM WHERE", "SELECT * FROM no_such_table", "SELECT no_such_column FROM nation", "SELECT 1 / 0",
		"SELECT CAST('abc' AS integer)", "SELECT CAST(n_name AS integer) FROM nation", "SELECT 1; SELECT 2",
	} {
		check("error: "+query, func() (any, error) { return fails(func() (any, error) { return rows(db, query) }) })
	}
	check("error: another user", func() (any, error) {
		return fails(func() (any, error) {
			return rows(db, "SET SESSION AUTHORIZATION somebody_else")
		})
	})
}

func checkResults(db *sql.DB) {
	check("result: 200,000 rows", func() (any, error) {
		found, err := db.Query("SELECT n FROM numbers")
		if err != nil {
			return nil, err
		}
		defer found.Close()
		count, sum := 0, int64(0)
		for found.Next() {
			var n int64
			if err := found.Scan(&n); err != nil {
				return nil, err
			}
			count, sum = count+1, sum+n
		}
		return []any{count, sum}, found.Err()
	})
	check("result: no rows", func() (any, error) { return rows(db, "SELECT n FROM numbers WHERE n < 0") })
	check("result: facts of a table", func() (any, error) { return facts(db, "SELECT * FROM orders") })
	check("result: scans", func() (any, error) {
		var key int64
		var name string
		var comment sql.NullString
		err := db.QueryRow("SELECT n_nationkey, n_name, n_comment FROM nation WHERE n_nationkey = 5").Scan(&key, &name, &comment)
		return []any{key, name, comment.Valid}, err
	})
	check("result: ping", func() (any, error) { return nil, db.Ping() })
	check("result: exec", func() (any, error) {
		_, err := db.Exec("SELECT 1 AS one")
		return nil, err
	})
}

func checkStops(db *sql.DB) {
	check("stop: deadline of a context", func() (any, error) {
		limited, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		defer cancel()
		return fails(func() (any, error) { return rowsOf(db.QueryContext(limited, slow)) })
	})
	check("stop: cancel between rows", func() (any, error) {
		stoppable, cancel := context.WithCancel(context.Background())
		defer cancel()
		found, err := db.QueryContext(stoppable, long)
		if err != nil {
			return nil, err
		}
		defer found.Close()
		found.Next()
		cancel()
		for found.Next() {
			continue
		}
		return fails(func() (any, error) { return nil, found.Err() })
	})
	check("stop: close between rows", func() (any, error) {
		found, err := db.Query(long)
		if err != nil {
			return nil, err
		}
		found.Next()
		if err := found.Close(); err != nil {
			return nil, err
		}
		return rows(db, "SELECT 1 AS one")
	})
	check("stop: query_max_run_time", func() (any, error) {
		limited := open(url.Values{"session_properties": {"query_max_run_time:1s"}})
		defer limited.Close()
		return fails(func() (any, error) { return rows(limited, slow) })
	})
}

func checkSessions(db *sql.DB) {
	check("session: current user", func() (any, error) {
		var found string
		err := db.QueryRow("SELECT current_user").Scan(&found)
		return found == user, err
	})
	check("session: property", func() (any, error) {
		own := open(url.Values{"session_properties": {"query_max_run_time:3h"}})
		defer own.Close()
		var name, value, byDefault, kind, description string
		err := own.QueryRow("SHOW SESSION LIKE 'query_max_run_time'").Scan(&name, &value, &byDefault, &kind, &description)
		return []any{name, value}, err
	})
	check("session: changed on one connection", func() (any, error) {
		own, err := db.Conn(context.Background())
		if err != nil {
			return nil, err
		}
		defer own.Close()
		if _, err := own.ExecContext(context.Background(), "USE "+catalog+".information_schema"); err != nil {
			return nil, err
		}
		return rowsOf(own.QueryContext(context.Background(), "SELECT table_name FROM tables WHERE table_schema = '"+schema+"' ORDER BY 1"))
	})
	check("session: transaction", func() (any, error) {
		within, err := db.Begin()
		if err != nil {
			return nil, err
		}
		found, err := rowsOf(within.Query("SELECT count(*) FROM nation"))
		if err != nil {
			return nil, err
		}
		return found, within.Commit()
	})
}
