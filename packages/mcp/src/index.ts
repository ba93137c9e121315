export type { Library } from './call/library.ts';
export { createMcpServer } from './server/server.ts';
