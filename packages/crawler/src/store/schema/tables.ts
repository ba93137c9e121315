import type { Generated, Kysely } from 'kysely';
import type { ChangeSchema } from './change-tables.ts';
import type { WatchSchema } from './watch-tables.ts';

/** 0: waits for a visit, 1: has ended. */
export type UrlState = 0 | 1;

/** A connection to the database of a store, or a transaction. */
export type Db = Kysely<StoreSchema>;

/** Times are milliseconds since 1970. */
export interface StoreSchema extends ChangeSchema, WatchSchema {
	crawl_run: {
		id: Generated<number>;
		mode: string;
		scope: string;
		started_at: number;
		ended_at: number | null;
		/** 1: everything had ended; 0: interrupted; null: still running, or killed. */
		complete: number | null;
		/** That it has brought so far. */
		documents: Generated<number>;
		/** When the next one begins by itself. */
		next_at?: number | null;
	};
	/** Workers of a crawl, until they leave or their lease ends. */
	crawl_worker: {
		id: Generated<number>;
		/** For people: computer and process. */
		name: string;
		/** The run that it works on. */
		run: number | null;
		expires_at: number;
		/** Hosts that it could visit now but did not get. */
		wants: Generated<number>;
		/** That it has brought, and that are not yet counted for the run. */
		documents: Generated<number>;
		/** Number of its last write, and of the one before. */
		write: number | null;
		write_before: number | null;
		/** How many it has made. */
		commits: Generated<number>;
		/** Documents that it may still bring, of those that the run is limited to. */
		reserved: Generated<number>;
		/** `workerSchema` of its version; 0 before there was one. */
		schema: Generated<number>;
	};
	host: {
		id: Generated<number>;
		name: string;
		/** No request before this moment. */
		next_at: Generated<number>;
		https: Generated<number>;
		/** The worker that visits it. */
		holder: number | null;
		/** `next_at`, if the host waits for a worker; null if a worker holds it or it has nothing to visit. */
		ready_at: number | null;
		/** Milliseconds between two requests, as far as known. */
		delay: Generated<number>;
	};
	/** The frontier, and the outcome of everything that was ever seen. A row without a host only records an outcome. */
	url: {
		id: Generated<number>;
		key: string;
		/** 0: page, 1: sitemap. */
		kind: number;
		host: number | null;
		state: UrlState;
		depth: number;
		dates: number;
		attempts: Generated<number>;
		due: Generated<number>;
		seed: Generated<number>;
		via: number | null;
		run: number;
		outcome: string | null;
		reason: string | null;
		detail: string | null;
		evidence: number | null;
		status: number | null;
		redirect: string | null;
		at: number | null;
		/** The history of its checks, as the view `revisit` shows it; zeros are null. */
		visits: Generated<number | null>;
		changes: Generated<number | null>;
		span: Generated<number | null>;
		rate: Generated<number | null>;
		seen_at: Generated<number | null>;
		changed_at: Generated<number | null>;
		/** Null before the first check. */
		recheck_at: Generated<number | null>;
		hinted_at: Generated<number | null>;
	};
	/** The record of a read page. `content` is compressed JSON, or names an object with it; null if nothing may be stored. */
	page: {
		url: number;
		etag: string | null;
		last_modified: string | null;
		body_hash: Uint8Array | null;
		fetched_at: number;
		checked_at: number;
		content: Uint8Array | null;
		/** 1: it is the last that is known of the page. */
		stands: Generated<number>;
		/** The signature of its text, the near duplicate that it is of, and the hash of its prose. */
		b0: Generated<number | null>;
		b1: Generated<number | null>;
		b2: Generated<number | null>;
		b3: Generated<number | null>;
		twin: Generated<number | null>;
		prose: Generated<number | null>;
	};
	/** The document before the one in `page`. */
	former_page: { url: number; fetched_at: number; replaced_at: number; content: Uint8Array };
	/** Where documents are that are not in the rows of their pages; one row or none. `store` names this store there. */
	document_place: { id: number; store: string; place: string };
	evidence: { id: Generated<number>; json: string };
	policy_file: {
		url: string;
		final_url: string | null;
		fetched_at: number;
		expires_at: number;
		unreachable_since: number | null;
		/** JSON. */
		outage: string | null;
		status: number;
		body: Uint8Array | null;
		etag: string | null;
		last_modified: string | null;
		content_type: string | null;
	};
	/** `answer` is JSON. */
	ask_answer: {
		origin: string;
		identity: string;
		directive: string;
		answer: string;
		source: string;
		asked_at: number;
		expires_at: number;
	};
	/** A view of the pages that have a signature. */
	likeness: { url: number; b0: number; b1: number; b2: number; b3: number; twin: number | null; prose: number | null };
	/** `json` holds the learned address patterns of the host. */
	learned: { host: number; json: string };
	/** The first page with a name; names are addresses with one part removed. */
	page_name: { name: string; url: number };
	/** A URL, or `host NAME`, that the crawler never requests. */
	forgotten: { name: string; at: number };
	/** What other databases of the crawl are to get, until they have it. */
	outbox: { id: Generated<number>; target: string; urls: number; json: string; taken_until: Generated<number> };
	/** One row, where the hosts of a crawl lie in several databases. `members` is JSON, the same in all of them. */
	crawl_group: { one: Generated<number>; id: string; members: string; received: Generated<number> };
	sink_position: { name: string; position: string };
	/** A rolling file; `worker` writes it, and is null when it is visible. */
	output_file: { id: Generated<number>; sink: string; run: number; worker: number | null };
	/** Results in an object of their own; `file`: the one that they get into. */
	output_segment: {
		id: Generated<number>;
		sink: string;
		run: number;
		object: string;
		bytes: number;
		file: number | null;
	};
	/** `judged`: 1 when what was out of scope has been looked at again since. */
	widened: { url: string; judged: Generated<number> };
}
