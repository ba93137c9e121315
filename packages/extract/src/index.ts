export { type CharsetSource, type DecodedHtml, decodeHtml } from './charset/index.ts';
export { type Chunk, type ChunkOptions, chunkMarkdown } from './chunks/index.ts';
export { declaredUrl } from './declared-url.ts';
export {
	type DocumentTools,
	type Fetched,
	type SomFetched,
	somToDocument,
	somToExtraction,
	toAIDocument,
} from './document/index.ts';
export { documentBase } from './document-base.ts';
export { extract } from './extract.ts';
export { extractWhole } from './extract-whole.ts';
export { isFileType, maxAlternates } from './metadata/alternates.ts';
export { charsetProblem, type PageProblem, type PageProblemCode, pageProblems } from './metadata/index.ts';
export {
	type Action,
	actionableElements,
	applySomPatch,
	type CompileOptions,
	defaultBudget,
	diffSom,
	type ElementRole,
	type FitReport,
	fitSom,
	htmlToSom,
	type PatchOperation,
	parseSom,
	type RegionRole,
	type SomAttributes,
	type SomBudget,
	type SomDocument,
	type SomElement,
	type SomLinkElement,
	type SomMeta,
	type SomOption,
	type SomProblemCode,
	type SomRegion,
	type SomScope,
	type SomStructuredData,
	somProblems,
	somToMarkdown,
	somToTree,
	type TreeNode,
} from './som/index.ts';
export { type CompiledSom, type ToSomOptions, toSom } from './to-som.ts';
export type {
	Alternate,
	Extraction,
	ExtractOptions,
	Favor,
	FieldReader,
	Fields,
	FileFacts,
	HiddenPart,
	Page,
	PageType,
	ReadablePage,
	StructuredItem,
} from './types.ts';
