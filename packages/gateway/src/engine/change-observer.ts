import type { ManifestSource } from '../respond/respond.ts';

/** Learns from pages that are served to anybody which of them have changed. */
export interface ChangeObserver extends ManifestSource {
	/** Whether the body of a response of this page is wanted. */
	wants(path: string): boolean;
	/** @param referer where the visitor says to come from: a link back there is not one of the site. */
	observe(path: string, body: Uint8Array, contentType: string | undefined, referer?: string): void;
	/** The page is gone. */
	forget(path: string): void;
	/** The revision of a page, where it is known. */
	revisionOf(path: string): number | undefined;
}
