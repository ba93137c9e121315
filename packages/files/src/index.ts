export { FileError, type FileErrorCode } from './errors.ts';
export type { FileCost } from './messages.ts';
export { type FileReader, type FileReaderOptions, openFileReader } from './reader.ts';
export type { FileContent, FileKind, FileLimits } from './types.ts';
