export type { ServiceConfig, ServiceOptions } from './config/config.ts';
export { createLog, type Log } from './observe/log.ts';
export { openService, type Service, type ServiceTools } from './server/build-service.ts';
export { ListenError, type Listening, listen } from './server/listen.ts';
