"""Settings of Superset, which imports this file by its name. Its files are below ``SUPERSET_HOME``."""

import os

SECRET_KEY = os.urandom(32).hex()
SQLALCHEMY_DATABASE_URI = f"sqlite:///{os.environ['SUPERSET_HOME']}/superset.db?timeout=60"
FEATURE_FLAGS = {"ESTIMATE_QUERY_COST": True, "ENABLE_TEMPLATE_PROCESSING": True}
# The API is called in this process with a token, without the cookies of a browser.
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
# Default: Superset looks each second whether a statement has ended.
DB_POLL_INTERVAL_SECONDS = {"trino": 0.1}
LOG_LEVEL = "CRITICAL"
