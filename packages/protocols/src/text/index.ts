export { manyLines, oneLine, placeOf, runningText, shortAddress } from './one-line.ts';
export { bytes, duration, quantity } from './quantities.ts';
