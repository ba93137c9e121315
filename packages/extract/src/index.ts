export type { Extraction, ExtractOptions, Page, PageType } from './types.ts';
