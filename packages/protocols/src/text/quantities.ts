/** `1 page`, `24 pages`. */
export function quantity(count: number, one: string, many = `${one}s`): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `3.2 s`, `4:05`, `1:02:03`. */
export function duration(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	const whole = Math.floor(seconds);
	const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const [hours, minutes, rest] = parts as [number, number, number];
	const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
	return hours > 0 ? `${hours}:${tail}` : tail;
}

/** `812 B`, `49.2 kB`, `3.1 MB`. */
export function bytes(count: number): string {
	if (count < 1000) return `${count} B`;
	const units = ['kB', 'MB', 'GB', 'TB'];
	let value = count / 1000;
	let unit = 0;
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	return `${value.toFixed(1)} ${units[unit]}`;
}
