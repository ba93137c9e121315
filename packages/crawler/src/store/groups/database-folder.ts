/**
 * Names what a database has for itself in a place that all share: `db1`, `db2`… All processes agree on the numbers, which
 * are those of the list that each database keeps.
 *
 * @param at position of the database in that list, from 0
 */
export const databaseFolder = (at: number): string => `db${at + 1}`;
