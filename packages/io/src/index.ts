/** Everything at once, for one more version: import from the subpaths (`@wayleave/io/http`, `/dns` and so on). */
export * from './dns/index.ts';
export * from './files/private-files.ts';
export * from './hash/sha256.ts';
export * from './http/index.ts';
export * from './metrics/exposition.ts';
export * from './ranges/index.ts';
export * from './signatures/index.ts';
export * from './sql/index.ts';
export { ThreadError, type ThreadErrorCode, ThreadPool, type ThreadPoolOptions, threadEntry } from './threads/index.ts';
