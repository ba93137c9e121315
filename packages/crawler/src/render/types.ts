/** Whether pages are opened in a browser: all, those that say nothing without their scripts, or none. */
export type RenderMode = 'always' | 'auto' | 'never';

/** Bounds of one page. Times are milliseconds. */
export interface RenderLimits {
	/** From the page handed to the browser to its content taken, waiting for hosts included. */
	readonly time: number;
	/** Requests that the page makes by itself. */
	readonly requests: number;
	/** Bytes that they bring, all together. */
	readonly bytes: number;
	/** Bytes of the content when it is taken. */
	readonly html: number;
	/** MiB that the process of the page may use. */
	readonly memory: number;
}

export const defaultRenderLimits: RenderLimits = {
	time: 60_000,
	requests: 60,
	bytes: 32 << 20,
	html: 10 << 20,
	memory: 1024,
};

/** A resource that the page requested and got. */
export interface Resource {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/**
 * Loads what a page needs, by the rules for any other request; undefined where it may not be had.
 *
 * @param signal aborted when the page is done with
 */
export type LoadResource = (
	url: string,
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
) => Promise<Resource | undefined>;

/** A page as it was fetched. */
export interface PageToRender {
	readonly url: string;
	/** The route within the page that the browser opens: `#/tides`. */
	readonly hash?: string | undefined;
	readonly body: Uint8Array;
	readonly contentType: string;
	readonly contentSecurityPolicy: string | undefined;
	readonly load: LoadResource;
	readonly limits: RenderLimits;
}

export type Rendering =
	| {
			readonly ok: true;
			readonly html: string;
			/** Targets of navigations by its scripts. */
			readonly navigations: readonly string[];
	  }
	/** Why there is none, for people. */
	| {
			readonly ok: false;
			readonly detail: string;
			/** The browser exited, possibly because of another page. */
			readonly browserLost?: boolean;
	  };

export interface RenderOptions {
	readonly mode: RenderMode;
	/** The executable. Default: `CHROMIUM_PATH`, else the first Chromium or Chrome in the usual places. */
	readonly chromium?: string | undefined;
	readonly limits?: Partial<RenderLimits> | undefined;
	/** The route that the browser opens within the page (`#/tides`), when a single page is fetched. */
	readonly hash?: string | undefined;
}
