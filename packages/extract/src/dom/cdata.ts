const LANDMARK = /<(\/?)(svg|math|script|style|textarea|title)\b|<!\[CDATA\[/gi;

/**
 * Outside of svg and math `<![CDATA[` begins a comment that ends at the next `>` (HTML §13.2.5.42); the tokenizer would
 * take all up to `]]>` for it, and so the rest of the page. One character less, and it is any odd declaration.
 */
export function disarmCdata(source: string): string {
	if (!source.includes('<![CDATA[')) return source;
	let foreign = 0;
	let raw = '';
	return source.replace(LANDMARK, (match, slash: string | undefined, written: string | undefined) => {
		const name = written?.toLowerCase();
		if (raw !== '') {
			if (slash === '/' && name === raw) raw = '';
		} else if (name === undefined) return foreign > 0 ? match : '<! CDATA[';
		else if (name !== 'svg' && name !== 'math') raw = slash === '/' ? '' : name;
		else foreign = Math.max(0, foreign + (slash === '/' ? -1 : 1));
		return match;
	});
}
