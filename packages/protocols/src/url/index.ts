export { addressFault } from './address-fault.ts';
export { foldPolicies } from './fold-policies.ts';
export { parseUrl } from './parse-url.ts';
export {
	type AddressFault,
	decodeUnreserved,
	defaultReadings,
	foldAddress,
	type PageAddress,
	type PathFault,
	type ReadingPreset,
	type Readings,
	readingPresets,
	readPageUrl,
	readPath,
	unionOfReadings,
} from './readings.ts';
export { type Spelling, spellingsOf } from './spellings.ts';
export { withoutBrackets } from './without-brackets.ts';
