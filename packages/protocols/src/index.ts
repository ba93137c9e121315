export type { Evidence, Mechanism } from './evidence.ts';
export type { Parsed, Problem, Severity } from './problem.ts';
