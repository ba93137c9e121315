import type { RunState } from '../roles/frontier.ts';
import type { SqlStore } from '../sql/sql-store.ts';

/** One of the databases of a crawl, as this process has opened it. */
export interface OpenMember {
	readonly id: string;
	readonly url: string;
	readonly sql: SqlStore;
}

/** The databases of a crawl, as the store of one of them sees the others. */
export interface MemberGroup {
	readonly members: readonly OpenMember[];
	/** The database of the hosts of another member; undefined for hosts of this one. */
	elsewhere(from: OpenMember, host: string): OpenMember | undefined;
	owns(member: OpenMember, host: string): boolean;
	/** A worker of this process begins its run in a database; if it cannot, the others do not wait for it. */
	begin(member: OpenMember, beginning: Promise<RunState>): Promise<RunState>;
	/** The run of the first database, which decides how the others begin. */
	firstRun(): Promise<RunState | undefined>;
	allBegan(): Promise<void>;
	/** Something was committed that another database may get. */
	notify(member: OpenMember): void;
	/** Whether the last run has left anything in any database. Unknown is yes. */
	isLeft(): Promise<boolean>;
	/** Whether no database has anything to do. */
	isQuiet(): Promise<boolean>;
	/** Documents in all databases but the first. */
	broughtElsewhere(): Promise<number>;
}
