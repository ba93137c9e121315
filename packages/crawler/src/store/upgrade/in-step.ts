import { addressFunction } from '../schema/address-hashes.ts';
import { historyIn, historyNames } from '../schema/history-columns.ts';

// Triggers that keep the tables of the version before 021 and the columns that replace them in step, while workers of both
// versions crawl. A trigger that was fired by another trigger does nothing: it would write the same back.

const columns = historyNames.join(', ');
const isFirst = 'pg_trigger_depth() = 0';
const differs = (names: readonly string[]) =>
	`(${names.map((name) => `old.${name}`).join(', ')}) is distinct from (${names.map((name) => `new.${name}`).join(', ')})`;
const signature = ['b0', 'b1', 'b2', 'b3', 'twin', 'prose'] as const;
const signatures = signature.join(', ');
const from = (row: string, names: readonly string[]) => names.map((name) => `${row}.${name}`).join(', ');

const asTrigger = (name: string, body: string) =>
	`create or replace function ${name}() returns trigger language plpgsql as $body$ begin ${body} end $body$`;

/** Sets the hash before the row is in any index. */
const setHash = asTrigger('wayleave_set_hash', 'new.hash := wayleave_address(new.key, new.kind); return new;');

/** The trigger of a store that was upgraded: its column cannot be a generated one, which would rewrite the table. */
export const hashTrigger: readonly string[] = [
	setHash,
	'create trigger url_hash before insert on url for each row execute function wayleave_set_hash()',
];

/** A row has its hash as soon as it has the history of its page: the copy then leaves both alone. */
const fromRevisit = asTrigger(
	'wayleave_from_revisit',
	`if tg_op = 'DELETE' then
		update url set hash = wayleave_address(key, kind), ${historyNames.map((name) => `${name} = null`).join(', ')}
			where id = old.url;
	else
		update url set hash = wayleave_address(key, kind), (${columns}) = row(${historyIn('new')}) where id = new.url;
	end if;
	return null;`,
);

const fromSignature = asTrigger(
	'wayleave_from_likeness',
	`if tg_op = 'DELETE' then
		update page set ${signature.map((name) => `${name} = null`).join(', ')} where url = old.url;
	else
		update page set (${signatures}) = row(${from('new', signature)}) where url = new.url;
	end if;
	return null;`,
);

/** The version before writes the signature of a new page before the page. */
const newPage = asTrigger(
	'wayleave_new_page',
	`if new.b0 is null then
		select ${signatures} into ${from('new', signature)} from likeness where url = new.url;
	end if;
	return new;`,
);

/** With them, all that workers of the version before write is in the new columns too. */
export const forwardTriggers: readonly string[] = [
	addressFunction.replace('create function', 'create or replace function'),
	...hashTrigger,
	fromRevisit,
	fromSignature,
	newPage,
	`create trigger revisit_to_url after insert or update or delete on revisit for each row when (${isFirst})
		execute function wayleave_from_revisit()`,
	`create trigger likeness_to_page after insert or update or delete on likeness for each row when (${isFirst})
		execute function wayleave_from_likeness()`,
	'create trigger page_from_likeness before insert on page for each row execute function wayleave_new_page()',
];

/**
 * A worker of the version before would fail if it found an address in the index on hashes that another worker is adding at
 * the same moment: its statements expect that of the index on addresses only. So a row gets its hash when it is in there.
 */
const addHashes = asTrigger(
	'wayleave_add_hashes',
	`update url set hash = wayleave_address(url.key, url.kind) from added where url.id = added.id and url.hash is null;
	return null;`,
);

const fromUrl = asTrigger(
	'wayleave_from_url',
	`if tg_op = 'DELETE' then
		delete from revisit where url = old.id;
	elsif new.recheck_at is null then
		delete from revisit where url = new.id;
	else
		insert into revisit (url, visits, changes, span, rate, checked_at, changed_at, next_at, hinted_at) values (new.id,
			coalesce(new.visits, 0), coalesce(new.changes, 0), coalesce(new.span, 0), coalesce(new.rate, 0), new.seen_at,
			new.changed_at, new.recheck_at, new.hinted_at)
		on conflict (url) do update set visits = excluded.visits, changes = excluded.changes, span = excluded.span,
			rate = excluded.rate, checked_at = excluded.checked_at, changed_at = excluded.changed_at,
			next_at = excluded.next_at, hinted_at = excluded.hinted_at;
	end if;
	return null;`,
);

const fromPage = asTrigger(
	'wayleave_from_page',
	`if tg_op = 'DELETE' then
		delete from likeness where url = old.url;
	elsif new.b0 is null then
		delete from likeness where url = new.url;
	else
		insert into likeness (url, ${signatures}) values (new.url, ${from('new', signature)})
		on conflict (url) do update set (${signatures}) = row(${from('excluded', signature)});
	end if;
	return null;`,
);

/** With them, all that workers of this version write is in the tables of the version before too. */
export const backwardTriggers: readonly string[] = [
	'drop trigger url_hash on url',
	addHashes,
	`create trigger url_hash after insert on url referencing new table as added for each statement
		execute function wayleave_add_hashes()`,
	fromUrl,
	fromPage,
	`create trigger url_to_revisit after update of ${columns} on url for each row
		when (${isFirst} and ${differs(historyNames)}) execute function wayleave_from_url()`,
	`create trigger url_to_revisit_gone after delete on url for each row when (${isFirst})
		execute function wayleave_from_url()`,
	`create trigger page_to_likeness after update of ${signatures} on page for each row
		when (${isFirst} and ${differs(signature)}) execute function wayleave_from_page()`,
	`create trigger page_to_likeness_new after insert on page for each row
		when (${isFirst} and new.b0 is not null) execute function wayleave_from_page()`,
	`create trigger page_to_likeness_gone after delete on page for each row when (${isFirst})
		execute function wayleave_from_page()`,
];

/** Their triggers go with them. */
export const stepFunctions = [
	...['wayleave_from_revisit', 'wayleave_from_likeness', 'wayleave_new_page', 'wayleave_add_hashes'],
	...['wayleave_from_url', 'wayleave_from_page'],
];
