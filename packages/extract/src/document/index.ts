export { type SomFetched, somToDocument, somToExtraction } from './som-document.ts';
export { type DocumentTools, type Fetched, toAIDocument } from './to-aidocument.ts';
