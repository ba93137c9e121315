export { narrowRanges } from '@wayleave/protocols/jafar';
export { RangeLists } from './lists.ts';
export { fileRangeStore, type RangeListStore, type StoredRangeList } from './store.ts';
export type { RangeAnswer, RangeListStatus, RangeListsOptions } from './types.ts';
