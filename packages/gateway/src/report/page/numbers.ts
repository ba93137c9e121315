const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en-GB', {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	timeZone: 'UTC',
});

export const count = (value: number): string => whole.format(value);
export const roughly = (value: number): string => (value < 100_000 ? whole.format(value) : short.format(value));
export const dateOf = (time: number): string => date.format(time);
export const dayOf = (time: number): string => dayAndMonth.format(time);
/** To the minute, in UTC. */
export const minuteOf = (time: number): string => minute.format(time);

/** `1 agent`, `3 agents`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
	`${count(value)} ${value === 1 ? one : many}`;

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function bytes(value: number): string {
	let size = Math.abs(value);
	let unit = 0;
	while (size >= 1000 && unit < units.length - 1) {
		size /= 1000;
		unit++;
	}
	return `${value < 0 ? '−' : ''}${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

export function percent(part: number, all: number): string {
	return all === 0 ? '0 %' : `${((100 * part) / all).toFixed(1)} %`;
}

/** Names and paths from outside may be of any length, and control characters in them may hide text. */
export function shown(text: string, length = 80): string {
	const plain = text.replace(/\p{C}/gu, '�');
	return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}
