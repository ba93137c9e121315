import type { Use } from '@wayleave/protocols/policy';
import type { AskAnswer } from '@wayleave/protocols/robots2';
import type { KeptAnswer } from '../roles/policies.ts';
import type { Db } from '../schema/tables.ts';

/** The answers that an origin has given to one identity and that still hold. */
export async function loadAskAnswers(db: Db, origin: string, identity: string, now: number): Promise<KeptAnswer[]> {
	const rows = await db
		.selectFrom('ask_answer')
		.selectAll()
		.where('origin', '=', origin)
		.where('identity', '=', identity)
		.where('expires_at', '>', now)
		.orderBy('directive')
		.execute();
	return rows.map(({ directive, answer, source, asked_at, expires_at }) => ({
		origin,
		identity,
		directive: directive as Use,
		answer: JSON.parse(answer) as AskAnswer,
		source,
		askedAt: asked_at,
		expiresAt: expires_at,
	}));
}

/** In place of the one before. */
export async function saveAskAnswer(db: Db, kept: KeptAnswer): Promise<void> {
	const { origin, identity, directive, answer, source, askedAt, expiresAt } = kept;
	const row = { answer: JSON.stringify(answer), source, asked_at: askedAt, expires_at: expiresAt };
	await db
		.insertInto('ask_answer')
		.values({ origin, identity, directive, ...row })
		.onConflict((conflict) => conflict.columns(['origin', 'identity', 'directive']).doUpdateSet(row))
		.execute();
}
