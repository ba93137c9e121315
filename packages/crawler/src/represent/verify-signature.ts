import { registrableDomain } from '@wayleave/io/dns';
import type { FetchSuccess } from '@wayleave/io/http';
import { keyDirectoryPath, parseKeyDirectory, verifyRepresentation } from '@wayleave/io/signatures';
import { somEndpointRelation } from '@wayleave/protocols/som';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { EndpointContext } from './endpoint-context.ts';

export type Verified = { readonly keyId?: string; readonly fault?: string };

/**
 * Checks the signature of a response by the key that the publisher of the page has published; an endpoint elsewhere
 * under the same registrable domain may have its own. A response without signature passes, unless the caller
 * wants one.
 *
 * @param slot of the host of the page
 */
export async function verifyResponse(
	response: FetchSuccess,
	url: string,
	slot: HostSlot,
	context: EndpointContext,
): Promise<Verified | NotScheduled> {
	let notScheduled: NotScheduled | undefined;
	const keyOf = async (keyId: string) => {
		for (const origin of originsOf(response.url, url)) {
			const file = await load(`${origin}${keyDirectoryPath}`, slot, context);
			if (typeof file === 'string') notScheduled = file;
			else if (file?.status === 200) {
				const key = parseKeyDirectory(new TextDecoder().decode(file.body)).get(keyId);
				if (key !== undefined) return key;
			}
		}
		return undefined;
	};
	const message = { status: response.status, targetUri: response.url, body: response.body };
	const header = (name: string) => response.headers.get(name);
	const verdict = await verifyRepresentation(message, header, keyOf, context.clock.now() / 1000).catch(
		// Fields that cannot be parsed are not a valid signature.
		(error: unknown) => ({ outcome: 'invalid', detail: (error as Error).message }) as const,
	);
	if (notScheduled !== undefined && verdict.outcome !== 'valid') return notScheduled;
	if (verdict.outcome === 'valid') return { keyId: verdict.keyId };
	if (verdict.outcome === 'invalid') return { fault: `wrong signature: ${verdict.detail}` };
	return context.settings.som.requireSignature ? { fault: 'it has no signature' } : {};
}

/** Origins whose keys are accepted. */
function originsOf(endpoint: string, url: string): string[] {
	const own = new URL(url).origin;
	const other = new URL(endpoint).origin;
	return somEndpointRelation(endpoint, url, registrableDomain) === 'same-domain' ? [own, other] : [own];
}

async function load(url: string, home: HostSlot, context: EndpointContext) {
	const { hostname } = new URL(url);
	if (hostname === home.host.name) return context.files.load(url, home);
	const slot = await context.hosts.holdSoon(hostname);
	if (slot === undefined) return 'held';
	try {
		return await context.files.load(url, slot);
	} finally {
		await context.hosts.release(slot);
	}
}
