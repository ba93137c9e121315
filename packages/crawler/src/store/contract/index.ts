/**
 * Tests for a store of your own, for any test runner.
 *
 * ```ts
 * it.each(storeContract)('$name', async ({ run }) => run(await createMyStore()));
 * it.each(readerContract)('$name', ({ run }) => run(async (fill) => {
 * 	const store = await createMyStore();
 * 	await fill(store);
 * 	return store;
 * }));
 * ```
 *
 * @module
 */
export type { ContractCase } from './fixtures.ts';
export { type ReadAfter, readerContract } from './reader-contract.ts';
export { storeContract } from './store-contract.ts';
