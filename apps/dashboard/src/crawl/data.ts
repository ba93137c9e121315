// What the server sends: its own types.
export type * from '../../../../packages/crawler/src/view/api.ts';
