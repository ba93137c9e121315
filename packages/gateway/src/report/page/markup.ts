const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Markup that is safe to put into a page. */
export class Markup {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}

type Part = Markup | string | number | readonly Part[];

/** A template for markup: escapes each text that is put into it, in content and in quoted attributes alike. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
	return new Markup(fixed.map((text, index) => text + written(parts[index] ?? '')).join(''));
}

function written(part: Part): string {
	if (part instanceof Markup) return part.text;
	if (Array.isArray(part)) return part.map(written).join('');
	return escapeHtml(String(part));
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
