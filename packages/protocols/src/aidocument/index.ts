export { canonicalJson } from './canonical-json.ts';
export { computeEconomics, type Pricing, type TokenCounts } from './economics.ts';
export { formatAIDocument } from './format.ts';
export { isLanguageTag } from './language.ts';
export { type MigrationOptions, migrateAIDocument, migrationMap } from './migrate.ts';
export { checkAIDocument, type ParsedAIDocument, parseAIDocument } from './parse.ts';
export type { AIDocumentProblem, AIDocumentProblemCode } from './problems.ts';
export { documentRef, type Fingerprinted, type Sha256 } from './ref.ts';
export { aiDocumentSchema } from './schema.ts';
export { computeSignals, isHeadingHierarchyOk, type SignalSource } from './signals.ts';
export type {
	AIDocument,
	CacheInfo,
	CacheStatus,
	ContentInfo,
	EconomicsInfo,
	FreshnessPolicy,
	Heading,
	IdentityInfo,
	Image,
	Link,
	RenderMode,
	SchemaInfo,
	SignalsInfo,
	SourceInfo,
	StructureInfo,
} from './types.ts';
export { countWords, readingTime } from './words.ts';
