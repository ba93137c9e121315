export type { Rate } from '@wayleave/io/rate';
export * from './endpoint.ts';
export type { Choice } from './negotiate.ts';
