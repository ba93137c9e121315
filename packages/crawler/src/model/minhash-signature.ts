/**
 * A signature of a text in four numbers: each represents the least three of all runs of three words under hash functions
 * of its own (MinHash, Broder 1997). Of two texts that have the share J of their runs in common, a number is the same
 * with the probability J³.
 */
export type MinHashSignature = readonly [number, number, number, number];
