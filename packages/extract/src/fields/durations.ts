const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Hours, minutes and seconds as people write them, in English, German, French and Spanish. */
const hours = /^(\d{1,3})\s*(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?)\b\.?/i;
const minutes = /^(\d{1,4})\s*(?:m|mins?|minutes?|minuten?|minutos?)\b\.?/i;
const seconds = /^(\d{1,5})\s*(?:s|secs?|seconds?|sekunden?|secondes?|segundos?)\b\.?/i;

/** A text that is one duration, in ISO 8601: `1 h 20 min` → `PT1H20M`. */
export function durationOf(written: string): string | undefined {
	const text = written.trim();
	if (iso.test(text) && /\d/.test(text)) return text;
	let rest = text.slice(0, 100);
	let found = '';
	for (const [pattern, unit] of [
		[hours, 'H'],
		[minutes, 'M'],
		[seconds, 'S'],
	] as const) {
		const match = pattern.exec(rest);
		if (match === null) continue;
		found += `${Number(match[1])}${unit}`;
		rest = rest.slice(match[0].length).replace(/^[\s,]*(?:and|und|et|y)?\s*/i, '');
	}
	return found !== '' && rest === '' ? `PT${found}` : undefined;
}

/** The seconds of a duration in ISO 8601 without months and years, which have no fixed length. */
export function secondsOf(duration: string): number | undefined {
	const match = iso.exec(duration);
	if (match === null) return undefined;
	const [days = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
	return ((days * 24 + hour) * 60 + minute) * 60 + second;
}
