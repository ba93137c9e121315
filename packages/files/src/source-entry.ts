/** The module beside `base`, from source as well as built, and whether it needs a loader. */
export function entryBeside(name: string, base: string): { readonly url: URL; readonly isSource: boolean } {
	const isSource = base.endsWith('.ts');
	return { url: new URL(`${name}${isSource ? '.ts' : '.js'}`, base), isSource };
}
