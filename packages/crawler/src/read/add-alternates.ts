import { type Alternate, maxAlternates, type Page } from '@wayleave/extract';

/** The page with further alternates: none twice, not its own address, and not more than `maxAlternates`. */
export function addAlternates(page: Page, url: string, further: readonly Alternate[]): Page {
	const all = new Map<string, Alternate>();
	for (const each of [...(page.alternates ?? []), ...further])
		if (each.url !== url && !all.has(each.url)) all.set(each.url, each);
	const { alternates: _, ...rest } = page;
	return all.size === 0 ? rest : { ...rest, alternates: [...all.values()].slice(0, maxAlternates) };
}
