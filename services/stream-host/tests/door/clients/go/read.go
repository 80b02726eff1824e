package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// read reads the statement on stdin to its end, and prints its rows and the sums of its first column. It fails as the client does.
func read() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	db := open(nil)
	defer db.Close()
	found, err := db.Query(string(text))
	if err != nil {
		return err
	}
	defer found.Close()
	rows, sum, squares := 0, int64(0), int64(0)
	for found.Next() {
		var n int64
		var filler string
		if err := found.Scan(&n, &filler); err != nil {
			return err
		}
		rows, sum, squares = rows+1, sum+n, (squares+n*n)%1_000_003
	}
	if err := found.Err(); err != nil {
		return err
	}
	line, err := json.Marshal(map[string]any{"rows": rows, "sum": sum, "squares": squares})
	fmt.Println(string(line))
	return err
}

// readOrExit ends the process with 1 when the result is not whole.
func readOrExit() {
	if err := read(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
