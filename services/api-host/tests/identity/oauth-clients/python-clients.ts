import { PythonProgram, pythonPackage } from '@sluice/testkit';
import { remoteSteps, type TestedClient } from './tested-client.ts';

/** The libraries accept `http:` only with these variables. */
const COMMON = `
import os, time
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
import requests
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
def handle(request):
    return globals()[request["step"]](request)
def tokens(token):
    return {"access_token": token["access_token"], "refresh_token": token["refresh_token"]}
`;

const AUTHLIB = `${COMMON}
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
def start(request):
    global server, client
    client = request
    server = requests.get(get_well_known_url(request["issuer"], external=True)).json()
    AuthorizationServerMetadata(server).validate()
def authorize(request):
    global session, verifier, state
    session = OAuth2Session(client["client_id"], scope=request["scope"], redirect_uri=client["redirect_uri"],
        code_challenge_method="S256", token_endpoint_auth_method="none", revocation_endpoint_auth_method="none")
    verifier = generate_token(48)
    url, state = session.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
    return url
def redeem(request):
    return tokens(session.fetch_token(server["token_endpoint"], authorization_response=request["callback"],
        code_verifier=verifier, state=state))
def refresh(request):
    return tokens(session.refresh_token(server["token_endpoint"], refresh_token=request["refresh_token"]))
def revoke(request):
    response = session.revoke_token(server["revocation_endpoint"], token=request["token"], token_type_hint="refresh_token")
    response.raise_for_status()
def beginDevice(request):
    global device
    form = {"client_id": client["client_id"], "scope": request["scope"]}
    response = requests.post(server["device_authorization_endpoint"], data=form)
    response.raise_for_status()
    device = response.json()
    return device["user_code"]
def finishDevice(request):
    time.sleep(device["interval"])
    session = OAuth2Session(client["client_id"], token_endpoint_auth_method="none")
    return tokens(session.fetch_token(server["token_endpoint"], grant_type=DEVICE, device_code=device["device_code"]))
`;

const REQUESTS_OAUTHLIB = `${COMMON}
from urllib.parse import urlsplit
from oauthlib.oauth2 import DeviceClient, WebApplicationClient
from requests_oauthlib import OAuth2Session
def start(request):
    global server
    server = request
def authorize(request):
    global client, session
    client = WebApplicationClient(server["client_id"])
    session = OAuth2Session(client=client, redirect_uri=server["redirect_uri"], scope=request["scope"].split(), pkce="S256")
    return session.authorization_url(server["authorization_endpoint"])[0]
def redeem(request):
    return tokens(session.fetch_token(server["token_endpoint"], authorization_response=request["callback"],
        include_client_id=True))
def refresh(request):
    return tokens(session.refresh_token(server["token_endpoint"], refresh_token=request["refresh_token"],
        client_id=server["client_id"]))
def revoke(request):
    url, headers, body = client.prepare_token_revocation_request(server["revocation_endpoint"], request["token"],
        "refresh_token", client_id=server["client_id"])
    requests.post(url, headers=headers, data=body).raise_for_status()
def beginDevice(request):
    global device
    client = DeviceClient(server["client_id"])
    uri = client.prepare_request_uri(server["device_authorization_endpoint"], scope=request["scope"].split())
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = requests.post(server["device_authorization_endpoint"], data=urlsplit(uri).query, headers=headers)
    response.raise_for_status()
    device = response.json()
    return device["user_code"]
def finishDevice(request):
    time.sleep(device["interval"])
    session = OAuth2Session(client=DeviceClient(server["client_id"]))
    return tokens(session.fetch_token(server["token_endpoint"], device_code=device["device_code"], include_client_id=True))
`;

type Has = TestedClient['has'];

function pythonClient(name: string, pins: readonly string[], source: string, has: Has): TestedClient {
  const { python, install } = pythonPackage(...pins);
  const program = new PythonProgram(python, source);
  return {
    name,
    has,
    install: async () => {
      // Installed when it cannot start: the environment is kept between runs.
      await program.start().catch(install);
      await program.start();
    },
    steps: remoteSteps((request) => program.call(request)),
    stop: () => program[Symbol.dispose](),
  };
}

const ALL = { revocation: true, issuerCheck: false };

export const authlib = pythonClient('Authlib', ['authlib==1.9.10', 'requests==2.34.2'], AUTHLIB, ALL);
export const requestsOauthlib = pythonClient(
  'requests-oauthlib',
  ['requests-oauthlib==2.0.0', 'oauthlib==4.0.1'],
  REQUESTS_OAUTHLIB,
  ALL,
);
