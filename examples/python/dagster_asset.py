"""An asset of Dagster, which is materialized only when its file is proved whole.

Needs: pip install dagster 'sluice-client', and `sluice login` or the variables of examples/README.md.
"""

import dagster
import sluice_client

SQL = "SELECT origin, count(*) AS flights FROM flights GROUP BY origin ORDER BY flights DESC"


@dagster.asset(retry_policy=dagster.RetryPolicy(max_retries=2, delay=5))
def busiest_airports() -> dagster.MaterializeResult:
    """Airports by number of flights, as a Parquet file."""
    with sluice_client.connect() as sluice:
        saved = sluice.download(SQL, "busiest_airports.parquet")
    proof = {"rows": saved.rows, "bytes": saved.bytes, "sha256": saved.sha256, "query_id": saved.query_id}
    return dagster.MaterializeResult(metadata=proof)


definitions = dagster.Definitions(assets=[busiest_airports])

if __name__ == "__main__":
    run = dagster.materialize([busiest_airports])
    (event,) = run.asset_materializations_for_node("busiest_airports")
    print(f"busiest_airports.parquet is complete: {event.metadata['rows'].value} rows, query {event.metadata['query_id'].value}")
