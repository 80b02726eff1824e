"""Superset in this process: its web application without a server, with its own database in a temporary folder."""

import json
import re
import secrets
from pathlib import Path

import prison
from sqlalchemy.engine.url import URL as Address
from superset.app import create_app

from checks import CA, CATALOG, PASSWORD, URL, USER

app = create_app()
REQUEST_ID = re.compile(r',"request_id":"[^"]*"')


class ApiError(Exception):
    """Response of Superset's API with an error: its status and messages."""

    def __init__(self, status, content):
        entries = content.get("errors") or [{"message": content.get("message", content)}]
        texts = [f"{entry.get('error_type', '')} {entry.get('message')}".strip() for entry in entries]
        # Messages are cut, and so is an id in them, which then is another one in each run.
        super().__init__(f"{status} {REQUEST_ID.sub('', '; '.join(texts))}")


class Client:
    """A user of Superset who is logged in."""

    def __init__(self, name):
        from superset import security_manager

        self._client, password = app.test_client(), secrets.token_hex(8)
        with app.app_context():
            role = security_manager.find_role("Admin")
            security_manager.add_user(name, name, name, f"{name}@superset.example", role, password=password)
        login = {"username": name, "password": password, "provider": "db"}
        self._headers = {}
        token = self.post("/api/v1/security/login", login)["access_token"]
        self._headers = {"Authorization": f"Bearer {token}"}

    def _send(self, method, path, body=None, **query):
        # Lists take their options as Rison, a short form of JSON.
        parameters = {name: prison.dumps(value) if name == "q" else value for name, value in query.items()}
        response = self._client.open(path, method=method, json=body, query_string=parameters, headers=self._headers)
        text = response.get_data(as_text=True)
        if response.status_code >= 400:
            raise ApiError(response.status_code, response.get_json() if response.is_json else {"message": text})
        return response.get_json() if response.is_json else text

    def get(self, path, **query):
        return self._send("GET", path, **query)

    def post(self, path, body, **query):
        return self._send("POST", path, body, **query)

    def put(self, path, body=None, **query):
        return self._send("PUT", path, body, **query)


def initialize():
    """Does what ``superset db upgrade`` and ``superset init`` do, without the migrations of older versions."""
    from flask_appbuilder import Model
    from superset import appbuilder, db, security_manager

    # Superset runs a statement in a second thread, which reads fields of the database if the statement fails. Otherwise commits of the first
    # thread expire these fields, so the second one loads them again with the first one's session, and both fail by chance.
    db.session.session_factory.configure(expire_on_commit=False)
    with app.app_context():
        Model.metadata.create_all(db.engine)
        appbuilder.add_permissions(update_perms=True)
        security_manager.sync_role_definitions()


def database_of(name, *, uses_root_certificate=False, catalog=CATALOG, password=PASSWORD, **more):
    """Returns the fields of the dialog for a new database."""
    address = Address.create(
        "trino", username=USER, password=password, host=URL.hostname, port=URL.port, database=catalog)
    # With a root certificate Superset sets both itself.
    tls = {"http_scheme": "https", "verify": CA} if CA and not uses_root_certificate else {}
    return {
        "database_name": name,
        "sqlalchemy_uri": address.render_as_string(hide_password=False),
        "extra": json.dumps({"allow_multi_catalog": True, "cost_estimate_enabled": True, "engine_params": {"connect_args": tls}}),
        **({"server_cert": Path(CA).read_text()} if CA and uses_root_certificate else {}),
        **more,
    }
