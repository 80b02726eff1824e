"""Runs Superset against the server of the environment (``DOOR_URL``, ``DOOR_USER``, ...)."""

import os
import tempfile
import warnings

warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory(prefix="superset-") as folder:
    os.environ["SUPERSET_HOME"] = folder
    # Superset reads its settings when it is imported.
    import application
    import chart_checks
    import database_checks
    import sql_lab_checks
    from checks import USER

    application.initialize()
    user = application.Client(USER)
    database = database_checks.run(user)
    for part in [chart_checks, sql_lab_checks]:
        part.run(user, database)
