/**
 * The fragment of an address that selects content within a page: `#/tides`, `#!tides`. Other fragments only name a
 * place in it.
 */
export const hashRoute = (url: string): string | undefined => /^[^#]*(#[/!].*)$/s.exec(url)?.[1];

/** The page of a route: what is requested, and what robots.txt is about. */
export const withoutRoute = (url: string): string => url.replace(/#.*$/s, '');
