import type { CompiledQuery, Kysely, RootOperationNode } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';

/** The statements that reading runs. */
export async function statementsOf(db: Kysely<LedgerSchema>, read: (db: Kysely<LedgerSchema>) => Promise<unknown>) {
	const found: CompiledQuery[] = [];
	const record = (node: RootOperationNode, queryId: never) => {
		found.push(db.getExecutor().compileQuery(node, queryId));
		return node;
	};
	await read(
		db.withPlugin({
			transformQuery: ({ node, queryId }) => record(node, queryId as never),
			transformResult: async ({ result }) => result,
		}),
	);
	return found;
}
