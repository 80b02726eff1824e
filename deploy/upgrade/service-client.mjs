/** A client inside the cluster: it sends requests with the host names of tenants to the Services of the hosts. */
import { once } from 'node:events';
import { request } from 'node:http';
import { DOMAIN } from '../helm/checks/manifest-fixture.mjs';

/** Creates a client with a connection for each request. `send` resolves with the response's head; `stream` is its body. */
export function createServiceClient(cluster) {
  const services = { api: cluster.serviceOf('api-host'), stream: cluster.serviceOf('stream-host') };
  return {
    async send(host, path, { method = 'GET', headers = {}, body } = {}) {
      const { address, port } = host.endsWith(`-api.${DOMAIN}`) ? services.api : services.stream;
      const target = { host: address, port, path, method, agent: false };
      const sent = request({ ...target, headers: { host, ...headers } });
      sent.end(body);
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, headers: response.headers, stream: response };
    },
  };
}
