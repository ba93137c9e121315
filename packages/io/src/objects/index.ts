/** Objects in a bucket or in a folder. */
export { openObjectStore } from './open.ts';
export { formatPlace, isObjectPlace, parsePlace, placeBelow } from './place.ts';
export * from './types.ts';
