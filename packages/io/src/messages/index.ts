/** Sentences for people about files, values and words: no message shows the name of a system error or of a class. */
export { explainJsonError } from './json-errors.ts';
export { nearestWord } from './nearest-word.ts';
export { explainSchemaIssue, oneOf, type SchemaIssue } from './schema-errors.ts';
export * from './system-errors.ts';
export { explainYamlError } from './yaml-errors.ts';
