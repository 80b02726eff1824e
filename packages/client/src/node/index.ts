export { receiptPathOf } from '../downloads/receipt-file.ts';
export { findProxy, type HttpProxy, type ProxyEnvironment } from './find-proxy.ts';
export { createProxyFetch } from './proxy-fetch.ts';
export { discardPart, partFactsPathOf, saveFile, toFile } from './to-file.ts';
