export { canonicalJson } from './canonical-json.ts';
export { computeEconomics, type Pricing, type TokenCounts } from './economics.ts';
export { documentRef, type Fingerprinted, type Sha256 } from './ref.ts';
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
