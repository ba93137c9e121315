export { formatLinkHeader, type HeaderLink, parseLinkHeader } from './link.ts';
export { parseDictionary, parseItem, parseList } from './structured.ts';
export type { BareItem, Dictionary, InnerList, Item, List, Member, Parameters } from './types.ts';
