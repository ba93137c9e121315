/** Whether one letter was added, lost or changed, two neighbours were swapped, or a hyphen was written otherwise. */
export function isOneSlip(written: string, known: string): boolean {
	const [a, b] = [written.replace(/[_ ]/g, '-'), known];
	if (a === b) return true;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
	return Math.max(left.length, right.length) === 1 || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
