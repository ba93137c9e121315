import { navigate, queryWith, Section, TextField } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { SearchPage, UrlPage } from '../data.ts';
import { More } from '../more.tsx';
import { historyAddress, UrlTable } from '../parts.tsx';
import { usePieces } from '../use-pieces.ts';

type Hit = SearchPage['hits'][number];

/** Search in URL, title and text of the documents, and in all URLs. */
export function SearchView({ query }: ViewProps) {
	const text = query.get('text')?.trim() ?? '';
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const given = String(new FormData(event.currentTarget).get('text') ?? '').trim();
		navigate(queryWith({ text: given || undefined }));
	};
	return (
		<div class="stack">
			<form class="form-row" aria-label="Search" onSubmit={submit} key={text}>
				<TextField
					label="Words in a document, or a part of a URL"
					name="text"
					type="search"
					defaultValue={text}
					required
				/>
				<button type="submit">Search</button>
			</form>
			{text !== '' && <Hits text={text} />}
		</div>
	);
}

function Hits({ text }: { text: string }) {
	const parameters = new URLSearchParams({ text });
	const hits = usePieces(`api/search?${parameters}`, hitsOf);
	const urls = usePieces(`api/urls?${new URLSearchParams({ contains: text })}`, urlsOf);
	return (
		<>
			<Section title="Documents" note="Whose title, text or URL contains this, in the order found.">
				<ol class="hits">
					{hits.items.map((hit) => (
						<HitItem key={hit.url} hit={hit} text={text} />
					))}
				</ol>
				<More of={hits} what="documents" />
			</Section>
			<Section title="URLs that contain this" note="With a document or without.">
				<UrlTable
					caption="URLs that contain this"
					urls={urls.items}
					empty={urls.isLoading ? 'Reading the store …' : 'None.'}
				/>
				<More of={urls} what="URLs" />
			</Section>
		</>
	);
}

function HitItem({ hit, text }: { hit: Hit; text: string }) {
	return (
		<li>
			<a href={historyAddress(hit.url)}>{hit.title || hit.url}</a>
			<p class="url soft">{hit.url}</p>
			{hit.excerpt !== undefined && (
				<p>
					<Marked text={hit.excerpt} wanted={text} />
				</p>
			)}
		</li>
	);
}

/** A text with the words that were searched for marked. */
function Marked({ text, wanted }: { text: string; wanted: string }) {
	const at = text.toLowerCase().indexOf(wanted.toLowerCase());
	if (at < 0) return <>{text}</>;
	return (
		<>
			{text.slice(0, at)}
			<mark>{text.slice(at, at + wanted.length)}</mark>
			{text.slice(at + wanted.length)}
		</>
	);
}

const hitsOf = ({ hits, examined, next }: SearchPage) => ({
	items: hits,
	examined,
	...(next !== undefined && { next }),
});
const urlsOf = ({ urls, next }: UrlPage) => ({ items: urls, ...(next !== undefined && { next }) });
