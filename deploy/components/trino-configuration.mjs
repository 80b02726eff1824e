import { securityOf } from './trino-security.mjs';

/** Returns the files of Trino's `etc` folder: their content by path. */
export function configurationFiles(options) {
  const spooling = options['s3-location'] === undefined ? undefined : spoolingFiles(options);
  const security =
    options['https-port'] === undefined
      ? undefined
      : securityOf({ folder: options.security, port: options['https-port'] });
  return {
    'node.properties': lines({
      'node.environment': 'sluice',
      'node.id': `sluice-${options.port}`,
      // The HTTP server has no setting for its address; it listens on that of the node.
      'node.bind-ip': options.host,
      'node.internal-address': options.host,
    }),
    'jvm.config': jvmOptions(options).join('\n'),
    'log.properties': lines({ 'io.trino': 'WARN' }),
    'config.properties': lines({
      coordinator: true,
      'node-scheduler.include-coordinator': true,
      'http-server.http.port': options.port,
      'discovery.uri': `http://${options.host}:${options.port}`,
      'query.max-memory': '900MB',
      'query.max-memory-per-node': '900MB',
      'memory.heap-headroom-per-node': '400MB',
      'query.client.timeout': options['client-timeout'],
      'query.max-history': 1000,
      'query.min-expire-age': '5m',
      ...(spooling === undefined ? {} : spoolingOf(options)),
      ...security?.properties,
      ...(options['traces-endpoint'] === undefined ? {} : tracingOf(options)),
    }),
    'catalog/tpch.properties': lines({ 'connector.name': 'tpch', 'tpch.column-naming': 'STANDARD' }),
    'catalog/tpcds.properties': lines({ 'connector.name': 'tpcds' }),
    'catalog/memory.properties': lines({ 'connector.name': 'memory', 'memory.max-data-per-node': '256MB' }),
    'catalog/blackhole.properties': lines({ 'connector.name': 'blackhole' }),
    // For tables whose pages arrive after a pause. `blackhole` has no tables.
    'catalog/waits.properties': lines({ 'connector.name': 'blackhole' }),
    'catalog/jmx.properties': lines({ 'connector.name': 'jmx' }),
    ...spooling,
    ...security?.files,
  };
}

const lines = (properties) =>
  `${Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;

const jvmOptions = (options) => [
  '-server',
  `-Xms${options.heap}`,
  `-Xmx${options.heap}`,
  '-XX:+UseG1GC',
  '-XX:G1HeapRegionSize=16M',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:ReservedCodeCacheSize=256M',
  `-XX:TieredStopAtLevel=${options.compiler}`,
  '-Djdk.attach.allowAttachSelf=true',
  '-Djdk.nio.maxCachedBufferSize=2000000',
  '-Dfile.encoding=UTF-8',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
];

const tracingOf = (options) => ({
  'tracing.enabled': true,
  'tracing.exporter.endpoint': options['traces-endpoint'],
  'tracing.exporter.protocol': 'http/protobuf',
});

/** Settings of the spooled protocol. The key of a test server on loopback protects nothing. */
const spoolingOf = (options) => ({
  'protocol.spooling.enabled': true,
  'protocol.spooling.shared-secret-key': Buffer.alloc(32, 'sluice').toString('base64'),
  'protocol.spooling.retrieval-mode': options['s3-retrieval'],
});

const spoolingFiles = (options) => ({
  'spooling-manager.properties': lines({
    'spooling-manager.name': 'filesystem',
    'fs.s3.enabled': true,
    'fs.location': options['s3-location'],
    // Encryption of segments requires an S3 with TLS.
    'fs.segment.encryption': false,
    's3.endpoint': options['s3-endpoint'],
    's3.region': 'us-east-1',
    's3.path-style-access': true,
    's3.aws-access-key': options['s3-key'],
    's3.aws-secret-key': options['s3-secret'],
  }),
});
