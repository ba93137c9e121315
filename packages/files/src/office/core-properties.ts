import type { HtmlHead } from '../html.ts';

const entities: Readonly<Record<string, string>> = {
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&amp;': '&',
};

/** What an office file says about itself (ECMA-376 part 2 §11, core properties). */
export function headOfOffice(core: string, language: string | undefined, body: string): HtmlHead {
	const field = (name: string): string | undefined => {
		const [, found = ''] = new RegExp(`<${name}\\b[^>]*>([^<]{1,2000})</${name}>`).exec(core) ?? [];
		const text = found.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity]!).trim();
		return text === '' ? undefined : text;
	};
	const [, heading] = /<h1>(.*?)<\/h1>/s.exec(body) ?? [];
	const authors = field('dc:creator')?.split(/\s*;\s*/);
	const date = (name: string) => (/^\d{4}-\d\d/.test(field(name) ?? '') ? field(name) : undefined);
	return {
		title: field('dc:title') ?? heading?.replace(/<[^>]*>/g, ''),
		language: field('dc:language') ?? language,
		...(authors && { authors }),
		description: field('dc:description'),
		keywords: field('cp:keywords'),
		published: date('dcterms:created'),
		modified: date('dcterms:modified'),
	};
}
