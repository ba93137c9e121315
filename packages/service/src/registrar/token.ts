import { randomBytes } from 'node:crypto';

/** A new token: 160 random bits in hexadecimal, and nothing that tells of a domain or a person (AWI-75). */
export function issueToken(): string {
	return randomBytes(20).toString('hex');
}

/** The one line, or the one TXT record, that the owner publishes (AIWebIndex §5). */
export function proofOf(token: string): string {
	return `aiwi-verify=${token}`;
}

/** The first of the tokens that a line of its own proves; lines that only contain it prove nothing. */
export function provenToken(lines: readonly string[], tokens: readonly string[]): string | undefined {
	const found = new Set(lines.map((line) => line.trim()));
	return tokens.find((token) => found.has(proofOf(token)));
}
