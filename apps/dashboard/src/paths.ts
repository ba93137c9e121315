import { withFilters } from './address.ts';
import type { PathCount, Paths } from './data.ts';
import { element, nothing } from './element.ts';
import { count, cut } from './format.ts';
import { type Column, table } from './table.ts';

const columns: readonly Column<PathCount>[] = [
	{ title: 'Path', cell: ({ path }) => element('a', { href: withFilters({ path }) }, cut(path, 100)) },
	{ title: 'Requests', number: true, cell: ({ requests }) => count(requests) },
	{ title: 'Agents', number: true, cell: ({ agents }) => count(agents) },
];

export function showFetched({ fetched }: Paths): Node[] {
	if (fetched.length === 0) return [nothing('No page was fetched in this period.')];
	return [table('Pages that agents fetched most', columns, fetched)];
}

export function showDenied({ denied }: Paths): Node[] {
	if (denied.length === 0) return [nothing('No path was denied in this period.')];
	return [table('Paths that were denied most', columns, denied)];
}
