// The JSON of the server, by the types that the server declares.
export type * from '../../../../packages/crawler/src/view/api.ts';
