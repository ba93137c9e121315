/** Why an identity cannot be sent. */
export type IdentityErrorCode = 'invalid-name' | 'invalid-version' | 'invalid-category' | 'invalid-url';

/** A configured identity that would not make a well-formed header: nothing may be sent under it. */
export class IdentityError extends Error {
	override readonly name = 'IdentityError';
	readonly code: IdentityErrorCode;

	constructor(code: IdentityErrorCode, given: string) {
		super(`${code}: ${JSON.stringify(given)}`);
		this.code = code;
	}
}

/** `token` of RFC 9110 §5.6.2: what a name, a version or a category may be, so that no header can be broken by it. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns `value` when it is a token, else throws with `code`. */
export function requireToken(value: string, code: IdentityErrorCode): string {
	if (!token.test(value)) throw new IdentityError(code, value);
	return value;
}
