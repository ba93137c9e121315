export type { Evidence, Mechanism } from './evidence.ts';
export { decodeUtf16, textOf } from './internal/utf16.ts';
export { present } from './present.ts';
export type { Parsed, Problem, Severity } from './problem.ts';
