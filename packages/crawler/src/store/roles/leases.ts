export interface HostRecord {
	readonly id: number;
	/** Host name without port. */
	readonly name: string;
	/** No request before this moment; milliseconds since 1970. The last one had ended `delay` before it, or earlier. */
	nextAt: number;
	/** The host wants https (AWI-78). */
	https: boolean;
	/** Milliseconds between two requests, as far as known. */
	delay?: number;
}
