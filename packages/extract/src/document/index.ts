export { type DocumentTools, type Fetched, toAIDocument } from './to-aidocument.ts';
