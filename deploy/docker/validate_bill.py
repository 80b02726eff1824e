"""Validates CycloneDX 1.6 documents strictly: python validate_bill.py FILE... Prints a line for each violation."""

import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

validator = JsonStrictValidator(SchemaVersion.V1_6)
found = [(file, validator.validate_str(pathlib.Path(file).read_text())) for file in sys.argv[1:]]
for file, error in found:
    if error is not None:
        print(f"{file}: {error}", file=sys.stderr)
sys.exit(any(error is not None for _, error in found))
