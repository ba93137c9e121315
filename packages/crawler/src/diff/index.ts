export { applyDiff, type DiffStep, type DocumentDiff, diffDocuments, isEmptyDiff } from './block-diff.ts';
