/** A time as written. */
export interface Timestamp {
	/** Milliseconds since 1970-01-01T00:00:00Z. */
	readonly time: number;
	/** `none` where no zone was written; `time` is then read as UTC. */
	readonly zone: 'utc' | 'offset' | 'none';
}

/** RFC 3339 §5.6: date, time, fraction and offset. */
const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?$/;

/** Reads an ISO 8601 date and time in the form of RFC 3339, the zone optional; days that no calendar has are refused. */
export function parseTimestamp(text: string): Timestamp | undefined {
	const parts = form.exec(text);
	if (parts === null) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
	const zone = parts[8]?.toUpperCase();
	const offset = zone === undefined || zone === 'Z' ? 0 : offsetMinutes(zone);
	// 24:00 is another way to write midnight, and 60 a leap second: only the latter is in RFC 3339.
	if (offset === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
	const date = new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	const fraction = parts[7] === undefined ? 0 : Math.trunc(Number(`0.${parts[7]}`) * 1000);
	const time = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
	return { time, zone: zone === undefined ? 'none' : offset === 0 ? 'utc' : 'offset' };
}

function offsetMinutes(zone: string): number | undefined {
	const hours = Number(zone.slice(1, 3));
	const minutes = Number(zone.slice(4));
	if (hours > 23 || minutes > 59) return undefined;
	return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** `YYYY-MM-DDThh:mm:ssZ`, the form that both JAFAR and pagedigest show. */
export function formatTimestamp(time: number): string {
	return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
