import type { Config } from '../config/schema.ts';

let warned = false;

/** Warns once if the gateway verifies no caller although the policy file does not ask for that. */
export function warnOfNoChecks({ verify }: Config['identity']): void {
	if (warned || !Object.values(verify).some((asked) => asked)) return;
	warned = true;
	const text =
		'createGateway without an identifier verifies no caller: every agent counts as unverified, impostors are not found, and rules for verified agents deny. Pass identifier: openIdentityChecker({ config, userAgent }).checker, or identifier: claimsOnly to accept this.';
	// Workers and Deno may have no `process`.
	if (typeof globalThis.process?.emitWarning === 'function')
		process.emitWarning(text, { code: 'WAYLEAVE_NOTHING_VERIFIED' });
	else console.warn(text);
}
