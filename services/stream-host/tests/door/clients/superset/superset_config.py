"""Superset without users, limits and workers of its own: one process with a database in a file."""

import os

SECRET_KEY = "of-a-test-that-keeps-nothing-0123456789"
SQLALCHEMY_DATABASE_URI = f"sqlite:///{os.environ['DOOR_SCRATCH']}/superset.db"
DATA_DIR = os.environ["DOOR_SCRATCH"]
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
SQLLAB_TIMEOUT = 60
PREVENT_UNSAFE_DB_CONNECTIONS = False
CACHE_CONFIG = DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
FEATURE_FLAGS = {"ESTIMATE_QUERY_COST": True}
