export { type LocalLibraryOptions, openLocalLibrary } from './local-library.ts';
export { serveStdio } from './serve-stdio.ts';
