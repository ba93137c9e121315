export type { Chunk as DocumentChunk } from '@wayleave/extract';
export type { FieldSource as DocumentFieldSource, Fields as DocumentFields } from '@wayleave/extract/fields';
export * from './client.ts';
