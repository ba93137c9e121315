const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export const count = (value: number): string => whole.format(value);
export const roughly = (value: number): string => (value < 100_000 ? whole.format(value) : short.format(value));
export const timeOfDay = (time: number): string => clock.format(time);
export const moment = (time: number): string => day.format(time);

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function bytes(value: number): string {
	const sign = value < 0 ? '−' : '';
	let size = Math.abs(value);
	let unit = 0;
	while (size >= 1000 && unit < units.length - 1) {
		size /= 1000;
		unit++;
	}
	return `${sign}${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** Long texts from outside, for a cell. */
export function cut(text: string, length = 80): string {
	if (text.length <= length) return text;
	// By code points: half of a surrogate pair is no character.
	return `${Array.from(text.slice(0, 2 * length))
		.slice(0, length - 1)
		.join('')}…`;
}

/** `12.3 %`, of nothing a dash. */
export function share(part: number, whole: number): string {
	return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A label of a time axis: the hour, and at midnight the day. */
export function timeTick(time: Date): string {
	if (time.getSeconds() !== 0) return clock.format(time);
	return time.getHours() === 0 && time.getMinutes() === 0 ? weekday.format(time) : hour.format(time);
}
