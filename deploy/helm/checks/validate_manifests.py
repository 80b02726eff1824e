"""Validates rendered manifests: python validate_manifests.py KUBERNETES_VERSION FILE...

Kinds of Kubernetes are checked strictly with the schemas of kubernetes-validate, custom resources with those in `schemas/`. Unknown
fields and unknown kinds are violations. Prints one line for each violation, and the number of valid objects.
"""

import json
import pathlib
import sys

import jsonschema
import kubernetes_validate
import yaml

SCHEMAS = pathlib.Path(__file__).parent / "schemas"


def custom_schema(document):
    """Returns the schema of a custom resource, or None for a kind of Kubernetes."""
    group = document["apiVersion"].split("/")[0]
    path = SCHEMAS / f"{group}-{document['kind'].lower()}.json"
    return json.loads(path.read_text()) if path.exists() else None


def violations_of(document, version):
    schema = custom_schema(document)
    if schema is not None:
        errors = jsonschema.Draft202012Validator(schema).iter_errors(document)
        return [f"{'.'.join(str(part) for part in error.absolute_path)}: {error.message}" for error in errors]
    try:
        kubernetes_validate.validate(document, version, strict=True)
        return []
    except kubernetes_validate.ValidationError as error:
        return [f"{'.'.join(str(part) for part in error.path)}: {error.message}"]
    except kubernetes_validate.SchemaNotFoundError as error:
        return [error.message]


def main():
    version, *files = sys.argv[1:]
    valid = 0
    violations = 0
    for file in files:
        for document in yaml.safe_load_all(pathlib.Path(file).read_text()):
            if document is None:
                continue
            found = violations_of(document, version)
            valid += 0 if found else 1
            violations += len(found)
            for violation in found:
                print(f"{file}: {document['kind']} {document['metadata']['name']}: {violation}", file=sys.stderr)
    print(json.dumps({"valid": valid, "violations": violations}))
    return 1 if violations > 0 else 0


sys.exit(main())
