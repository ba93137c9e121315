import { type Resource, useResource } from '../ui/index.ts';
import { apiAddress } from './query.ts';
import type { ViewProps } from './site-view.tsx';

/** Reads figures by their name, for the period and filters of the address. */
export function useFigures<Value>(
	name: string,
	{ query, every }: Pick<ViewProps, 'query' | 'every'>,
	more: Readonly<Record<string, string>> = {},
): Resource<Value> {
	return useResource<Value>(apiAddress(name, query, more), every);
}
