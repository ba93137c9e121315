import { directiveNamed, type PermissionName, permissionNames } from '../robots2/directives.ts';

/** Uses of a page: the permissions of robots2.txt, in their order there. */
export const uses: readonly Use[] = permissionNames;

export type Use = PermissionName;

/** Uses that need the content to be read first; `read: no` forbids them too. */
export const needRead: ReadonlySet<Use> = new Set([
	'summarise',
	'quote',
	'derivative',
	'train',
	'compete',
	'personalise',
	'monetise',
]);

/** The use that `written` names, in any case, American spellings too (`summarize`); undefined where there is none. */
export function useNamed(written: string): Use | undefined {
	const name = directiveNamed(written);
	return uses.find((use) => use === name);
}
