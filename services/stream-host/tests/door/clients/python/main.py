"""Runs the Python clients against the server of the environment (``DOOR_URL``, ``DOOR_USER``, ...)."""

import sys
import warnings

import dbapi_checks
import library_checks

warnings.simplefilter("ignore")
parts = {"dbapi": dbapi_checks.run, "libraries": library_checks.run}
for name in sys.argv[1:] or parts:
    parts[name]()
