export { ThreadError, type ThreadErrorCode } from './error.ts';
export { serveTasks } from './serve-tasks.ts';
export { ThreadPool, type ThreadPoolOptions, threadEntry } from './thread-pool.ts';
