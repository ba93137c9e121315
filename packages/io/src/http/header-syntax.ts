/** RFC 9110 §5.1: a lower-case field name. */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name);

/** @throws TypeError for a value that would break the header, or is not Latin-1; the message leaves the value out */
export function checkValue(name: string, value: string): void {
	if (/[\0\r\n]|[^\0-\xff]/.test(value)) throw new TypeError(`the value of ${name} cannot be sent in a header`);
}
