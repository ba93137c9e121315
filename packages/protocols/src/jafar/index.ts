export { canonicalAddress } from './address.ts';
export {
	type BuildRangesOptions,
	buildRanges,
	formatRanges,
	type PublishedRangeList,
} from './build.ts';
export { type Cidr, type CidrFault, hostCidr, parseCidr, withoutHostBits } from './cidr.ts';
export { compileRanges, type RangeIndex } from './compile.ts';
export { parseRangeLines } from './lines.ts';
export * from './merge.ts';
export { type Narrowed, narrowRanges } from './narrow.ts';
export { type OwnForm, readOwnForm } from './own-forms.ts';
export { type ParseRangesOptions, parseFormatVersion, parseRanges } from './parse.ts';
export type { RangesProblem, RangesProblemCode } from './problems.ts';
export { readRangesJson } from './read-json.ts';
export type { RangeList, RangeMatch, RangePrefix } from './types.ts';
