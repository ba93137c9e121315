export { compiledOnce } from './compiled-once.ts';
export { DatabaseError, type DatabaseErrorCode, isUnreachable } from './error.ts';
export { lockFile } from './file-lock.ts';
export { type MigrateOptions, type Migration, migrate, missingMigrations, statements } from './migrate.ts';
export { databaseKind, databaseName, type OpenOptions, openDatabase } from './open.ts';
export { isPostgresUrl } from './postgres-servers.ts';
export { sqliteProblem } from './sqlite.ts';
export { withoutNulls } from './without-nulls.ts';
