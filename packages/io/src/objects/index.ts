/** Objects in a bucket or in a folder. */
export { openObjectStore } from './open.ts';
export { formatPlace, isObjectPlace, parsePlace, placeBelow } from './place.ts';
export {
	type ObjectHeaders,
	type ObjectInfo,
	type ObjectStore,
	ObjectStoreError,
	type ObjectStoreErrorCode,
	type ObjectStoreOptions,
	type ObjectStoreTrouble,
} from './types.ts';
