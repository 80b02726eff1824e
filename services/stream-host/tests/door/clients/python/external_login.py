"""Logs in with a browser, whose address the driver prints, and prints the first value of the statement on stdin."""

import sys

import checks
from trino.auth import ConsoleRedirectHandler, OAuth2Authentication
from trino.dbapi import connect


def main():
    # The driver prints the address without a line end.
    sys.stdout.reconfigure(line_buffering=False, write_through=True)
    connection = connect(
        host=checks.URL.hostname,
        port=checks.URL.port,
        http_scheme="https",
        verify=checks.CA,
        auth=OAuth2Authentication(redirect_auth_url_handler=ConsoleRedirectHandler()),
        catalog=checks.CATALOG,
        schema=checks.SCHEMA,
        user=checks.USER,
    )
    print(connection.cursor().execute(sys.stdin.read()).fetchone()[0])


if __name__ == "__main__":
    main()
