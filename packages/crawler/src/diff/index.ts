export { applyDiff, type DiffStep, type DocumentDiff, diffDocuments, isEmptyDiff } from './block-diff.ts';
export { diffLines, type MarkedLine } from './line-diff.ts';
